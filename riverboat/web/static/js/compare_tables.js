/* Two pay tables side by side, of this rulebook or of any other. */
import { get } from "./ask.js";
import { byId, make } from "./draw.js";
import { percent } from "./edges.js";

const all = [];
const odds = new Map();

/** Fill the choices, and draw whenever one changes. */
export async function wireComparison({ rulebook, labels, betName }) {
  const books = [...byId("book").options].map((one) => one.value);
  const lists = await Promise.all(books.map((id) => get(`/odds/${id}/tables`)));
  lists.forEach((tables, place) => tables.forEach((one) => all.push({ ...one, book: books[place] })));
  const own = all.filter((one) => one.book === rulebook);
  const bets = [...new Set(own.map((one) => one.bet))].filter((bet) => all.filter((one) => one.bet === bet).length > 1);
  const [bet, a, b] = ["compare-bet", "compare-a", "compare-b"].map(byId);
  bet.replaceChildren(...bets.map((one) => make("option", { value: one }, betName(one, labels))));
  const fill = () => {
    const fits = all.filter((one) => one.bet === bet.value);
    const mine = fits.find((one) => one.book === rulebook && one.playable) ?? fits[0];
    const other = fits.find((one) => one !== mine && one.playable && one.lines.some((line, n) => line.pays !== mine.lines[n]?.pays)) ?? fits.find((one) => one !== mine);
    for (const [select, chosen] of [[a, mine], [b, other]]) {
      select.replaceChildren(...books.map((book) => [book, fits.filter((one) => one.book === book)]).filter(([, tables]) => tables.length).map(([book, tables]) => make("optgroup", { label: book }, ...tables.map((one) => make("option", { value: one.id, selected: one === chosen }, one.playable ? one.id : `${one.id} (struck)`)))));
    }
    return draw();
  };
  const draw = () => show(all.find((one) => one.id === a.value && one.bet === bet.value), all.find((one) => one.id === b.value && one.bet === bet.value));
  bet.addEventListener("change", fill);
  for (const select of [a, b]) select.addEventListener("change", draw);
  await fill();
}

/** @param {Floor.TableToCompare & { book: string }} table */
async function edge(table) {
  if (!odds.has(table.book)) odds.set(table.book, get(`/api/odds/${table.book}`));
  const { bets } = await odds.get(table.book);
  return bets.find((one) => one.paytable === table.id && one.bet === table.bet) ?? null;
}

/* The same hand on one row; a hand that only one table has stands where that table has it. */
function rows(a, b) {
  const found = a.lines.map((line) => ({ hand: line.hand, a: line.pays, b: b.lines.find((one) => one.key === line.key)?.pays ?? null }));
  b.lines.forEach((line, place) => {
    if (!a.lines.some((one) => one.key === line.key)) found.splice(Math.min(place, found.length), 0, { hand: line.hand, a: null, b: line.pays });
  });
  return found;
}

async function show(a, b) {
  const [edgeA, edgeB] = await Promise.all([edge(a), edge(b)]);
  /** @param {Floor.BetFigures} one */
  const figure = (one) => (one ? percent(one.house_edge) : "–");
  byId("compare").replaceChildren(make("table", { class: "side-by-side" },
    make("thead", {}, make("tr", {}, make("td", {}), make("th", { scope: "col" }, a.id), make("th", { scope: "col" }, b.id))),
    make("tbody", {}, ...rows(a, b).map((row) => make("tr", { class: row.a === row.b ? "" : "differs" }, make("th", { scope: "row" }, row.hand), make("td", {}, row.a ?? "–"), make("td", {}, row.b ?? "–")))),
    make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "The house keeps"), make("td", {}, figure(edgeA)), make("td", {}, figure(edgeB))))));
}
