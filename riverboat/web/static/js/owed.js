/* What every spot is owed, in figures first; words, arithmetic and clause one tap away. */
import { sentence } from "./ask.js";
import { citeList } from "./clauses.js";
import { byId, make } from "./draw.js";
import { dollars } from "./money.js";

const OUTCOMES = { win: "wins", won: "wins", lose: "loses", lost: "loses", push: "pushes", fold: "folded", folded: "folded" };

const UNPAID = ["", "lose", "push", "nothing"];

/* Amounts come as decimal text, exact to the cent. */
const money = (text) => dollars(Math.round(Number(text) * 100));

/** @param {string} spot @param {Floor.AskedOfBook} book */
function name(spot, book) {
  const known = { ante: book.ante, ...Object.fromEntries(book.stages.map((one) => [one.spot, one.label])), ...Object.fromEntries(book.side_bets.map((one) => [one.bet, one.label])) };
  return known[spot] ?? spot.replaceAll("_", " ");
}

/** @param {Floor.OwedSpot} line @param {Floor.AskedOfBook} book @param {Record<string, Floor.CitedClause>} clauses */
function spotLine(line, book, clauses) {
  const how = Number(line.net) > 0 ? "won" : Number(line.net) < 0 ? "lost" : "push";
  const sum = !UNPAID.includes(line.pays) ? `${money(line.stake)} at ${line.pays} = ${money(line.paid)}` : `${money(line.stake)} staked`;
  return make("details", { class: "owed-spot", "data-how": how },
    make("summary", {}, make("span", { class: "owed-name" }, name(line.spot, book)), make("span", { class: "owed-sum" }, OUTCOMES[line.outcome] ?? line.outcome.replaceAll("_", " "), UNPAID.includes(line.pays) ? "" : ` · ${line.pays}`, line.source === "cage" ? " · by the cage" : ""), make("b", {}, money(line.owed))),
    make("div", { class: "owed-why" }, make("p", { class: "why-says" }, sentence(line.words)),
      make("p", { class: "owed-arithmetic" }, `${sum}${line.paytable ? `, by ${line.paytable}` : ""}; given back in all ${money(line.owed)}, a net of ${money(line.net)}.`), citeList(line.cites, clauses)));
}

/** @param {Floor.Owed} said @param {Floor.AskedOfBook} book @param {Record<string, Floor.CitedClause>} clauses */
export function drawOwed(said, book, clauses) {
  const open = [...byId("owed").querySelectorAll("details[open]")].map((one) => one.dataset.spot);
  const lines = said.spots.map((line) => {
    const shown = spotLine(line, book, clauses);
    shown.dataset.spot = line.spot;
    shown.open = open.includes(line.spot);
    return shown;
  });
  const net = Number(said.net);
  byId("owed").replaceChildren(
    make("div", { class: "owed-total", "data-how": net > 0 ? "won" : net < 0 ? "lost" : "push" }, make("span", {}, "The player gets"), make("b", {}, money(said.owed)), make("small", {}, said.paid_from.words || `the house keeps ${money(said.net.slice(1))}`),
      ...(said.paid_from.cards ? [make("small", { class: "owed-cards" }, sentence(said.paid_from.cards))] : [])),
    ...lines,
    ...(said.notes ?? []).map((note) => make("details", { class: "owed-spot note" }, make("summary", {}, make("span", { class: "owed-name" }, sentence(note.words))), make("div", { class: "owed-why" }, citeList(note.cites, clauses)))),
    clearButton());
}

function clearButton() {
  return make("button", { class: "button", type: "button", onclick: () => dispatchEvent(new Event("riverboat-clear")) }, "Next hand");
}

export function drawWaiting(place) {
  byId("owed").replaceChildren(make("div", { class: "owed-waiting" }, make("b", {}, "Tap the cards"), make("span", {}, `Still to come: ${place.label.toLowerCase()}. The answer follows the last one.`)));
}

/** @param {{ words: string, cites: string[] }} refusal @param {Record<string, Floor.CitedClause>} clauses */
export function drawRefusal(refusal, clauses) {
  byId("owed").replaceChildren(make("div", { class: "owed-refused" }, make("b", {}, "No table would take this"), make("p", {}, sentence(refusal.words)), citeList(refusal.cites, clauses)));
}
