/* A meter's history as one line: what it stood at after each entry, awards marked. */
import { make, svg } from "./draw.js";

const [WIDE, HIGH, LEFT, FOOT] = [960, 240, 84, 26];
const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "short", timeStyle: "short" });

function nice(low, high) {
  const span = high - low;
  const step = 10 ** Math.floor(Math.log10(span / 3));
  const size = [1, 2, 5, 10].map((n) => n * step).find((one) => span / one <= 5) ?? step;
  const found = [];
  for (let at = Math.ceil(low / size) * size; at <= high; at += size) found.push(at);
  return found;
}

const span = (low, high) => high - low;

/** Drawn over entries, not over time: a quiet night takes no room. */
export function meterLine(history, units) {
  const lines = history.filter((line) => line.number);
  if (lines.length < 2) return make("p", { class: "panel-words" }, "Nothing has moved it yet.");
  const values = lines.map((line) => line.after_units / units / 100);
  const low = Math.min(...values);
  const high = Math.max(...values, low + 0.01);
  const x = (at) => LEFT + (at / (lines.length - 1)) * (WIDE - LEFT - 14);
  const y = (value) => 14 + (1 - (value - low) / (high - low)) * (HIGH - FOOT - 24);
  const path = values.map((value, at) => (at ? `H${x(at).toFixed(1)}V${y(value).toFixed(1)}` : `M${x(0)} ${y(value).toFixed(1)}`)).join("");
  const grid = nice(low, high).map((value) => `<path class="ml-grid" d="M${LEFT} ${y(value).toFixed(1)}H${WIDE - 10}"/><text class="ml-text" x="${LEFT - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">$${value.toLocaleString("en-US", { minimumFractionDigits: span(low, high) < 5 ? 2 : 0, maximumFractionDigits: 2 })}</text>`).join("");
  const marks = lines.map((line, at) => (/award|moved|won/i.test(line.kind) ? `<circle class="ml-award" cx="${x(at).toFixed(1)}" cy="${y(values[at]).toFixed(1)}" r="5"/>` : /adjust/i.test(line.kind) ? `<rect class="ml-adjust" x="${(x(at) - 4).toFixed(1)}" y="${(y(values[at]) - 4).toFixed(1)}" width="8" height="8"/>` : "")).join("");
  const ends = `<text class="ml-text" x="${LEFT}" y="${HIGH - 4}">${when.format(lines[0].at * 1000)}</text><text class="ml-text" x="${WIDE - 10}" y="${HIGH - 4}" text-anchor="end">${when.format(lines.at(-1).at * 1000)}</text>`;
  const art = svg(`0 0 ${WIDE} ${HIGH}`, `${grid}<path class="ml-area" d="${path}V${HIGH - FOOT}H${LEFT}Z"/><path class="ml-line" d="${path}"/>${marks}${ends}`, "meter-line");
  const words = `From $${values[0].toFixed(2)} to $${values.at(-1).toFixed(2)} over ${lines.length} entries; between $${low.toFixed(2)} and $${high.toFixed(2)}.`;
  return make("figure", { class: "meter-figure", tabindex: 0 }, art, make("figcaption", {}, words));
}
