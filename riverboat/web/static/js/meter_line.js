/* A meter's history as one line: what it stood at after each entry, awards marked. */
import { make, svg } from "./draw.js";
import { toTheCent } from "./money.js";
import { when } from "./when.js";

const [WIDE, HIGH, LEFT, FOOT, TOP] = [960, 240, 96, 26, 14];
const LEAST_CENTS = 5;
const LINES = 7;

/** Where the amount is marked: at whole cents, each mark once, not more than a handful. */
function marks(low, high) {
  const sizes = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power)).flat();
  const size = sizes.find((one) => (high - low) / one <= LINES);
  const first = Math.ceil(low / size);
  return Array.from({ length: Math.floor(high / size) - first + 1 }, (_, place) => (first + place) * size);
}

/** A line that hardly moves is not drawn as if it leapt: it gets a few cents of room. */
function range(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(0, LEAST_CENTS - (high - low)) / 2;
  return [Math.max(0, low - room), high + room];
}

const WIN = new Set(["meter_moved", "award_fixed", "link_backed_out"]);
const HAND = new Set(["link_adjusted", "link_moved_in", "link_moved_out", "link_retired"]);

/** @param {Floor.HistoryLine} line @param {number} x @param {number} y */
function mark(line, x, y) {
  if (WIN.has(line.kind)) return `<circle class="ml-award" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="5"/>`;
  if (HAND.has(line.kind)) return `<rect class="ml-adjust" x="${(x - 4).toFixed(1)}" y="${(y - 4).toFixed(1)}" width="8" height="8"/>`;
  return "";
}

/** @param {Floor.HistoryLine[]} lines @param {number[]} values */
function drawn(lines, values) {
  const [low, high] = range(values);
  const x = (at) => LEFT + (at / (lines.length - 1)) * (WIDE - LEFT - 14);
  const y = (value) => TOP + (1 - (value - low) / (high - low)) * (HIGH - FOOT - TOP - 10);
  const path = values.map((value, at) => (at ? `H${x(at).toFixed(1)}V${y(value).toFixed(1)}` : `M${x(0)} ${y(value).toFixed(1)}`)).join("");
  const grid = marks(low, high).map((value) => `<path class="ml-grid" d="M${LEFT} ${y(value).toFixed(1)}H${WIDE - 10}"/><text class="ml-text" x="${LEFT - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${toTheCent(value)}</text>`).join("");
  const points = lines.map((line, at) => mark(line, x(at), y(values[at]))).join("");
  const ends = `<text class="ml-text" x="${LEFT}" y="${HIGH - 4}">${when(lines[0].at)}</text><text class="ml-text" x="${WIDE - 10}" y="${HIGH - 4}" text-anchor="end">${when(lines.at(-1).at)}</text>`;
  return svg(`0 0 ${WIDE} ${HIGH}`, `${grid}<path class="ml-area" d="${path}V${HIGH - FOOT}H${LEFT}Z"/><path class="ml-line" d="${path}"/>${points}${ends}`, "meter-line");
}

/** Drawn over entries, not over time: a quiet night takes no room.
    @param {Floor.HistoryLine[]} history @param {number} units */
export function meterLine(history, units) {
  const lines = history.filter((line) => line.number);
  const moved = lines.slice(1).filter((line) => line.units).length;
  if (!lines.length) return make("p", { class: "panel-words" }, "It is not open yet.");
  const values = lines.map((line) => line.after_units / units);
  const shown = values.map((value) => toTheCent(Math.floor(value)));
  if (!moved) return make("p", { class: "panel-words" }, `It has stood at ${shown[0]} since it was opened on ${when(lines[0].at)}; nothing has moved it yet.`);
  const [low, high] = [Math.floor(Math.min(...values)), Math.floor(Math.max(...values))].map(toTheCent);
  const words = `From ${shown[0]} to ${shown.at(-1)} over ${lines.length.toLocaleString("en-US")} entries; between ${low} and ${high}.`;
  return make("figure", { class: "meter-figure", tabindex: 0 }, drawn(lines, values), make("figcaption", {}, words));
}
