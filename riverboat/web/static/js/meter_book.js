/* One meter's books: what it stood at, whether it balances, its awards, and every entry. */
import { get, sentence } from "./ask.js";
import { plain } from "./clauses.js";
import { make } from "./draw.js";
import { ledgerTable, cell } from "./ledger_table.js";
import { meterLine } from "./meter_line.js";
import { UNITS, backOutButton, memberLines, orderButtons } from "./meter_orders.js";
import { cents, dollars, fine, toTheCent } from "./money.js";
import { whenElement } from "./when.js";

const SHOWN = 200;
const EXPLAINED = 60;

export const shownMoney = (units) => toTheCent(Math.floor(units / UNITS));

function panel(title, ...inside) {
  return make("section", { class: "panel" }, make("h2", {}, title), ...inside);
}

function sum(words, value, attributes = {}) {
  return make("tr", attributes, make("th", { scope: "row" }, words), cell(value, "figure"));
}

/** @param {Floor.MeterBooks} book */
function reconciliation(book) {
  const sums = book.totals;
  const lines = [["Contributions", sums.contributions], ["Reversed", -sums.reversed], ["Seeds", sums.seeds], ["From the reserve", sums.reserve_transfers], ["Awards", -sums.awards], ["Adjustments", sums.adjustments]];
  const facts = [["Reserve", fine(book.reserve_units)], ["Waiting while an award is pending", fine(book.queued_units)], ["Unpaid awards", fine(book.unpaid_units)], ["Registered at its end", fine(book.registered_units)], ["Liability", fine(book.liability_units)], ["Seed", toTheCent(book.seed_cents)], ["Wager", toTheCent(book.wager_cents)], ["Goes to the meter", `${book.rate_bp / 100} %`], ["Goes to the reserve", `${book.reserve_bp / 100} %`]];
  const own = book.registered_units ? facts : facts.filter(([words]) => words !== "Registered at its end");
  return panel("Reconciliation", make("table", { class: "ledger sums" },
    make("tbody", {}, ...lines.map(([words, units]) => sum(words, fine(units))), sum("comes to the meter", fine(book.units), { class: "total" }), sum("Difference", fine(book.difference_units), { "data-holds": book.difference_units === 0 ? "yes" : "no" })),
    make("tbody", { class: "facts" }, ...own.map(([words, value]) => sum(words, value)))));
}

const STATES = { taken: "taken back", paid: "paid", pending: "PENDING" };

/** @param {Floor.MeterBooks} book @param {any} given */
function awards(book, { keeps, done }) {
  if (!book.awards.length) return panel("Awards", make("p", { class: "panel-words" }, "Nobody has won a share of this meter yet."));
  /** @param {Floor.AwardLine} one */
  const able = (one) => keeps && !one.backed_out && book.status !== "ended";
  const rows = book.awards.map((one) => make("tr", {}, cell(one.number, "figure"), cell(make("a", { href: `/rounds/${encodeURIComponent(one.table)}/${one.round}` }, `${one.table}, round ${one.round}, seat ${one.seat}`)), cell(`${plain(one.hand)} (${one.percent} %)`), cell(dollars(one.cents), "figure"), cell(STATES[one.backed_out ? "taken" : one.paid ? "paid" : "pending"]),
    cell(make("span", { class: "award-do" }, make("a", { href: `/api/win-page?award=${encodeURIComponent(one.award)}`, target: "_blank", rel: "noopener" }, "win page"), able(one) ? backOutButton(book, one, done) : ""))));
  return make("section", { class: "panel" }, ledgerTable("Awards", ["No.", "Where", "Hand", "Amount", "State", "Paper"], rows));
}

/** @param {Floor.HistoryLine} line */
function entry(line) {
  const words = make("span", {}, sentence(line.words), line.why ? make("small", {}, line.why) : null);
  return [cell(line.table || "–", "one-line entry-table"), cell(words, "entry-what"), cell(line.units ? fine(line.units) : "–", "figure entry-by"), cell(fine(line.after_units), "figure entry-after")];
}

/** @param {Floor.MeterBooks} book */
function history(book) {
  const lines = [...book.history].reverse().slice(0, SHOWN);
  const caption = `History, newest first${book.history.length > lines.length ? ` (${lines.length} of ${book.history.length})` : ""}`;
  return make("section", { class: "panel history" }, ledgerTable(caption, ["When", "Who", "Table", "What", "Change", "Stands at"],
    lines.map((line) => make("tr", { "data-kind": line.kind }, cell(whenElement(line.at), "one-line"), cell(line.who, "entry-who"), ...entry(line)))));
}

/** @param {Floor.ExplainedAmount} told */
function explained(told) {
  const rows = told.entries.slice(-EXPLAINED).reverse().map((line) => make("tr", {}, cell(whenElement(line.at), "one-line"), ...entry(line)));
  const count = told.entries.length;
  const words = `${fine(told.units)} is ${fine(told.carried_units)} that stood there and ${count} ${count === 1 ? "entry" : "entries"} since: ${told.agrees ? "they come to exactly this amount." : "THEY DO NOT COME TO THIS AMOUNT."}`;
  return [make("p", { class: "explained-words" }, words), ledgerTable("Newest first", ["When", "Table", "What", "Change", "Stands at"], rows)];
}

/** @param {Floor.MeterBooks} book */
function explainer(book) {
  const answer = make("div", { class: "explained", "aria-live": "polite" });
  const input = make("input", { inputmode: "decimal", autocomplete: "off", maxlength: 20, value: shownMoney(book.units).replace("$", "") });
  const form = make("form", { class: "explain" }, make("label", { class: "amount-field" }, make("span", {}, "The meter showed"), make("span", { class: "with-sign" }, make("i", { "aria-hidden": "true" }, "$"), input)), make("button", { class: "button primary" }, "Explain this cent"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      answer.replaceChildren(...explained(await get(`/api/meters/${encodeURIComponent(book.meter)}/cent?cents=${cents(input.value)}`)));
    } catch (problem) { answer.replaceChildren(make("p", { class: "order-refused" }, sentence(problem.message))); }
  });
  return panel("Explain this cent", form, answer);
}

/** @param {Floor.MeterBooks} book @param {any} given */
function tables(book, { keeps, done }) {
  const none = make("p", { class: "panel-words" }, "No table plays for it.");
  return panel("Tables", book.members.length + book.may_join.length ? memberLines(book, keeps, done) : none);
}

const SHOWS = { jackpot: "in service", pending: "an award is pending", out_of_service: "out of service" };

/** @param {Floor.MeterBooks} book @param {Floor.MeterAndMembers[]} others @param {any} given */
function head(book, others, { keeps, done, words }) {
  const state = `${book.status === "ended" ? "ended" : SHOWS[book.shows]} · ${book.balances ? "balances to the last unit" : "DOES NOT BALANCE"}`;
  return make("header", { class: "book-head" }, make("div", {}, make("h2", {}, book.meter), make("p", { class: "book-amount" }, shownMoney(book.units)), make("p", { class: "lead" }, state)),
    keeps ? orderButtons(book, others, done) : "", make("p", { class: "order-done", role: "status", hidden: !words }, words));
}

/** `others` are the meters that could take what this one owes; `words` what was just done to it.
    @param {any} place @param {Floor.MeterBooks} book @param {Floor.MeterAndMembers[]} others @param {any} how */
export function drawMeterBook(place, book, others, how) {
  place.replaceChildren(head(book, others, how), panel("What it stood at", meterLine(book.history, UNITS)),
    make("div", { class: "two" }, reconciliation(book), make("div", { class: "stacked" }, awards(book, how), tables(book, how), explainer(book))), history(book));
}
