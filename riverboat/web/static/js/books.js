/* The Game Manager: every meter, its history as a line, its awards, and whether it balances. */
import { get, sentence, tellRefusal } from "./ask.js";
import { openAdjusting } from "./adjusting.js";
import { byId, make, say } from "./draw.js";
import { meterLine } from "./meter_line.js";
import { dollars } from "./money.js";

const UNITS = 10_000;
const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "short", timeStyle: "medium" });
const door = byId("books").dataset.door;
const keeps = ["supervisor", "manager", "administrator"].includes(door);
const FIGURES = new Set(["No.", "Amount", "By", "Stands at", "Rounds", "House win"]);
let meter = new URLSearchParams(location.search).get("meter") ?? "";

const money = (units) => dollars(Math.floor(units / UNITS));
const fine = (units) => `${units < 0 ? "−" : ""}$${(Math.abs(units) / UNITS / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`;

function card(one) {
  return make("li", {}, make("button", { class: "meter-card", type: "button", "aria-current": String(one.meter === meter), onclick: () => pick(one.meter) },
    make("span", { class: "meter-name" }, one.meter), make("b", {}, money(one.units)), make("small", {}, `${one.status.replaceAll("_", " ")} · ${one.balances ? "balances" : "DOES NOT BALANCE"}`)));
}

/** Meters of visitors' own tables and of tests are reached from their tables, not listed. */
const isVisitors = (name) => name.startsWith("test ") || name.startsWith("Guest ");

const cell = (value, cls = "") => make("td", { class: cls }, value);

function table(caption, heads, rows) {
  return make("div", { class: "scroll", role: "group", tabindex: 0, "aria-label": caption || "Tables and days" }, make("table", { class: "ledger" }, make("caption", {}, caption), make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col", class: FIGURES.has(head) ? "figure" : "" }, head)))), make("tbody", {}, ...rows)));
}

function reconciliation(book) {
  const sums = book.totals;
  const lines = [["Contributions", sums.contributions], ["Reversed", -sums.reversed], ["Seeds", sums.seeds], ["From the reserve", sums.reserve_transfers], ["Awards", -sums.awards], ["Adjustments", sums.adjustments]];
  return make("section", { class: "panel" }, make("h2", {}, "Reconciliation"),
    make("table", { class: "ledger sums" }, make("tbody", {}, ...lines.map(([words, units]) => make("tr", {}, make("th", { scope: "row" }, words), cell(fine(units), "figure"))),
      make("tr", { class: "total" }, make("th", { scope: "row" }, "comes to the meter"), cell(fine(book.units), "figure")),
      make("tr", { "data-holds": book.difference_units === 0 ? "yes" : "no" }, make("th", { scope: "row" }, "Difference"), cell(fine(book.difference_units), "figure")))),
    make("dl", { class: "facts" }, ...[["Reserve", fine(book.reserve_units)], ["Waiting while an award is pending", fine(book.queued_units)], ["Unpaid awards", fine(book.unpaid_units)], ["Liability", fine(book.liability_units)], ["Seed", dollars(book.seed_cents)], ["Wager", dollars(book.wager_cents)], ["Goes to the meter", `${book.rate_bp / 100} %, reserve ${book.reserve_bp / 100} %`], ["Tables", book.members.join(", ") || "none"]].flatMap(([words, value]) => [make("dt", {}, words), make("dd", {}, value)])));
}

function awards(book) {
  if (!book.awards.length) return make("section", { class: "panel" }, make("h2", {}, "Awards"), make("p", { class: "panel-words" }, "Nobody has won a share of this meter yet."));
  return make("section", { class: "panel" }, table("Awards", ["No.", "Where", "Hand", "Amount", "State", "Paper"], book.awards.map((one) => make("tr", {}, cell(one.number, "figure"), cell(make("a", { href: `/rounds/${encodeURIComponent(one.table)}/${one.round}` }, `${one.table}, round ${one.round}, seat ${one.seat}`)), cell(`${one.hand.replaceAll("_", " ")} (${one.percent} %)`), cell(dollars(one.cents), "figure"), cell(one.backed_out ? "taken back" : one.paid ? "paid" : "PENDING"),
    cell(make("a", { href: `/api/win-page?award=${encodeURIComponent(one.award)}`, target: "_blank", rel: "noopener" }, "win page"))))));
}

function history(book) {
  const lines = [...book.history].reverse().slice(0, 200);
  return make("section", { class: "panel" }, table(`History, newest first${book.history.length > lines.length ? ` (${lines.length} of ${book.history.length})` : ""}`, ["When", "Who", "Table", "What", "By", "Stands at"],
    lines.map((line) => make("tr", { "data-kind": line.kind }, cell(when.format(line.at * 1000)), cell(line.who), cell(line.table || "–"), cell(make("span", {}, sentence(line.words), line.why ? make("small", {}, line.why) : null)), cell(line.units ? fine(line.units) : "–", "figure"), cell(fine(line.after_units), "figure")))));
}

function explainer(book) {
  const answer = make("div", { class: "explained", "aria-live": "polite" });
  const input = make("input", { type: "number", step: "0.01", min: 0, value: (Math.floor(book.units / UNITS) / 100).toFixed(2), "aria-label": "An amount that the meter showed, in dollars" });
  const form = make("form", { class: "explain" }, make("label", {}, "The meter showed $", input), make("button", { class: "button primary" }, "Explain this cent"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const told = await get(`/api/meters/${encodeURIComponent(book.meter)}/cent?cents=${Math.round(Number(input.value) * 100)}`);
      const rows = told.entries.slice(-60).reverse().map((line) => make("tr", {}, cell(when.format(line.at * 1000)), cell(line.table || "–"), cell(sentence(line.words)), cell(fine(line.units), "figure"), cell(fine(line.after_units), "figure")));
      answer.replaceChildren(make("p", { class: "explained-words" }, `${fine(told.units)} is ${fine(told.carried_units)} that stood there and ${told.entries.length} entries since: ${told.agrees ? "they come to exactly this amount." : "THEY DO NOT COME TO THIS AMOUNT."}`), table("Newest first", ["When", "Table", "What", "By", "Stands at"], rows));
    } catch (problem) { tellRefusal(problem); }
  });
  return make("section", { class: "panel" }, make("h2", {}, "Explain this cent"), form, answer);
}

function drawBook(book) {
  const place = byId("meter-book");
  const head = make("header", { class: "book-head" }, make("div", {}, make("h2", {}, book.meter), make("p", { class: "book-amount" }, money(book.units)), make("p", { class: "lead" }, `${book.shows.replaceAll("_", " ")} · ${book.balances ? "balances to the last unit" : "DOES NOT BALANCE"}`)),
    keeps ? make("div", { class: "book-do" }, make("button", { class: "button", type: "button", onclick: () => openAdjusting(book, "adjust", refresh) }, "Adjust"), make("button", { class: "button", type: "button", onclick: () => openAdjusting(book, book.status === "in_service" ? "out" : "back", refresh) }, book.status === "in_service" ? "Out of service" : "Back in service")) : "");
  place.replaceChildren(head, make("section", { class: "panel" }, make("h2", {}, "What it stood at"), meterLine(book.history, UNITS)), make("div", { class: "two" }, reconciliation(book), make("div", { class: "stacked" }, awards(book), explainer(book))), history(book));
}

function drawDays(books) {
  const rows = books.tables.filter((one) => !isVisitors(one.table)).map((one) => make("tr", {}, cell(one.table), cell(one.date ?? one.day ?? ""), cell(one.rounds ?? "–", "figure"), cell(dollars(one.win_cents ?? 0), "figure"), cell(one.balances ? "balances" : "DOES NOT BALANCE")));
  byId("table-days").replaceChildren(table("", ["Table", "Day", "Rounds", "House win", "Books"], rows));
}

async function pick(name) {
  meter = name;
  history_(name);
  try { drawBook(await get(`/api/meters/${encodeURIComponent(name)}`)); } catch (problem) { tellRefusal(problem); }
  for (const one of document.querySelectorAll(".meter-card")) one.setAttribute("aria-current", String(one.querySelector(".meter-name").textContent === name));
}

function history_(name) {
  window.history.replaceState(null, "", `?meter=${encodeURIComponent(name)}`);
}

async function refresh() {
  try {
    const books = await get("/api/books");
    say(byId("balance"), books.balances ? `Everything balances, as of row ${books.head.split(":")[0]} of the ledger.` : "THE BOOKS DO NOT BALANCE.");
    const shown = books.meters.filter((one) => !isVisitors(one.meter) || one.meter === meter);
    byId("meter-list").replaceChildren(...shown.map(card));
    drawDays(books);
    if (!meter && shown.length) meter = shown[0].meter;
    if (meter) await pick(meter);
  } catch (problem) { tellRefusal(problem); }
}

refresh();
