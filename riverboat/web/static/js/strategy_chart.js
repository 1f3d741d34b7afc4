/* What to do with the first two cards: 169 kinds of them in a square. */
import { make } from "./draw.js";
import { number } from "./edges.js";

const RANKS = [..."AKQJT98765432"];
const PAIRS = 6;
const SUITED = 4;
const OFF = 12;
const ALL = 1326;

const choiceWords = (best) => (best === 0 ? "fold" : `bet ${best}×`);
const shortOf = (best) => (best === 0 ? "fold" : `${best}×`);

function cellName(row, column) {
  if (row === column) return RANKS[row] + RANKS[row];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

/** @param {Record<string, Floor.BestOfHand>} hands @param {string} name */
const find = (hands, name) => hands[name] ?? hands[name.replace(/o$/, "")];

function handWords(name) {
  const ranks = [...name.slice(0, 2)].map((rank) => (rank === "T" ? "10" : rank));
  if (ranks[0] === ranks[1]) return `pair of ${ranks[0]}s`;
  return `${ranks[0]}-${ranks[1]} ${name.endsWith("s") ? "of one suit" : "of two suits"}`;
}

/** @param {Floor.BestOfHand} found */
function values(found) {
  return Object.entries(found.choices).map(([choice, value]) => `${choice === "0" ? "fold" : `${choice}×`} ${number(value).toFixed(3)}`).join(", ");
}

/** The chart, or for a game without one the thresholds by the dealer's up-card.
    @param {any} given @param {Record<string, Floor.BestOfHand>} hands @param {Floor.EasyPlay[]} plays */
export function drawChart({ chart, says, state }, hands, plays) {
  if (!Object.keys(hands).length) { drawThresholds(chart, state, plays); return; }
  const shares = new Map();
  const rows = RANKS.map((first, row) => make("tr", {}, make("th", { scope: "row" }, first === "T" ? "10" : first), ...RANKS.map((_, column) => {
    const name = cellName(row, column);
    const found = find(hands, name);
    const weight = row === column ? PAIRS : row < column ? SUITED : OFF;
    shares.set(found.best, (shares.get(found.best) ?? 0) + weight / ALL);
    const tell = () => { says.textContent = `${handWords(name)}: ${choiceWords(found.best)}. Worth, in antes: ${values(found)}.`; };
    return make("td", {}, make("button", { type: "button", tabindex: row + column ? "-1" : "0", class: "chart-cell", "data-best": found.best, "aria-label": `${handWords(name)}: ${choiceWords(found.best)}`, onmouseenter: tell, onfocus: tell, onclick: tell }, shortOf(found.best)));
  })));
  const head = make("tr", {}, make("td", {}), ...RANKS.map((rank) => make("th", { scope: "col" }, rank === "T" ? "10" : rank)));
  const table = make("table", { class: "chart" }, make("caption", { class: "unseen" }, "The best choice for the first two cards"), make("thead", {}, head), make("tbody", {}, ...rows));
  table.addEventListener("keydown", walk);
  const legend = make("ul", { class: "chart-legend" }, ...[...shares].sort(([a], [b]) => b - a).map(([best, share]) => make("li", {}, make("span", { class: "chart-key", "data-best": best, "aria-hidden": "true" }), `${choiceWords(best)}, ${(share * 100).toFixed(1)}% of deals`)));
  chart.replaceChildren(table, legend);
  state.textContent = "The first two cards, before any community card. Right of the diagonal both are of one suit.";
  says.textContent = "Point at a hand for the exact worth of each choice.";
}

/** @param {any} chart @param {any} state @param {Floor.EasyPlay[]} plays */
function drawThresholds(chart, state, plays) {
  const best = plays.reduce((a, b) => (number(a.cost) <= number(b.cost) ? a : b));
  state.textContent = "Bet or fold by the dealer’s up-card, in the fewest words that cost next to nothing.";
  chart.replaceChildren(make("ul", { class: "thresholds" }, ...best.words.map((line) => {
    const [when, what] = line.split(/: (.+)/);
    return make("li", {}, make("span", {}, when), make("b", {}, what ?? ""));
  })));
}

/* One stop for the tab key; arrows walk the square. */
function walk(event) {
  const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  const step = steps[event.key];
  const cell = document.activeElement.closest("td");
  if (!step || !cell) return;
  event.preventDefault();
  const row = cell.parentElement;
  const next = row.parentElement.rows[row.sectionRowIndex + step[0]]?.cells[cell.cellIndex + step[1]]?.querySelector("button");
  if (!next) return;
  document.activeElement.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
