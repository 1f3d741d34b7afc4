/* A table of the books: its figures line up, and it scrolls by itself where it is too wide. */
import { make } from "./draw.js";

const FIGURES = new Set(["No.", "Amount", "Change", "Stands at", "Rounds", "House win"]);

export const cell = (value, cls = "") => make("td", { class: cls }, value);

export function ledgerTable(caption, heads, rows, name = caption) {
  const head = (words) => make("th", { scope: "col", class: FIGURES.has(words) ? "figure" : "" }, words);
  return make("div", { class: "scroll", role: "group", tabindex: 0, "aria-label": name }, make("table", { class: "ledger" }, caption ? make("caption", {}, caption) : null, make("thead", {}, make("tr", {}, ...heads.map(head))), make("tbody", {}, ...rows)));
}
