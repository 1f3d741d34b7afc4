/* The Game Manager: every meter, one of them opened, every table's day, and whether it balances. */
import { get, tellRefusal } from "./ask.js";
import { plain } from "./clauses.js";
import { byId, make, say } from "./draw.js";
import { ledgerTable, cell } from "./ledger_table.js";
import { drawMeterBook, shownMoney } from "./meter_book.js";
import { dollars } from "./money.js";
import { gamingDay } from "./when.js";

const keeps = ["supervisor", "manager", "administrator"].includes(byId("books").dataset.door);
let meter = new URLSearchParams(location.search).get("meter") ?? "";
let known = [];

/** @param {Floor.MeterAndMembers} one */
function card(one) {
  const where = one.members.length > 2 ? `${one.members.length} tables` : one.members.join(", ");
  const state = [where, plain(one.status), one.balances ? "balances" : "DOES NOT BALANCE"].filter(Boolean).join(" · ");
  return make("li", {}, make("button", { class: "meter-card", type: "button", "data-meter": one.meter, "aria-current": String(one.meter === meter), onclick: () => pick(one.meter) },
    make("span", { class: "meter-name" }, one.meter), make("b", {}, shownMoney(one.units)), make("small", {}, state)));
}

/** @param {Floor.ManagerBooks} books */
function drawDays(books) {
  const rows = books.tables.filter((one) => !books.private.includes(one.table)).map((one) => make("tr", {}, cell(one.table), cell(gamingDay(one.day)), cell(one.rounds, "figure"), cell(dollars(one.win_cents), "figure"), cell(one.balances ? "balances" : "DOES NOT BALANCE")));
  byId("table-days").replaceChildren(ledgerTable("", ["Table", "Day", "Rounds", "House win", "Books"], rows, "Tables and days"));
}

/** Open meters that are no visitor's: they could take what another one owes. */
const others = () => known.filter((one) => one.meter !== meter && !one.private && !["not_open", "ended"].includes(one.status));

async function pick(name, words = "") {
  meter = name;
  window.history.replaceState(null, "", `?meter=${encodeURIComponent(name)}`);
  for (const one of document.querySelectorAll(".meter-card")) one.setAttribute("aria-current", String(one.dataset.meter === name));
  try {
    const book = await get(`/api/meters/${encodeURIComponent(name)}`);
    if (name === meter) drawMeterBook(byId("meter-book"), book, others(), { keeps, words, done: refresh });
  } catch (problem) { tellRefusal(problem); }
}

async function refresh(words = "") {
  try {
    const books = await get("/api/books");
    say(byId("balance"), books.balances ? `Everything balances, as of row ${Number(books.head.split(":")[0]).toLocaleString("en-US")} of the ledger.` : "THE BOOKS DO NOT BALANCE.");
    known = books.meters;
    /* Meters of visitors' own tables and of tests are reached from their tables, not listed. */
    const shown = known.filter((one) => !one.private || one.meter === meter);
    if (!meter && shown.length) meter = shown[0].meter;
    byId("meter-list").replaceChildren(...shown.map(card));
    drawDays(books);
    if (meter) await pick(meter, words);
  } catch (problem) { tellRefusal(problem); }
}

refresh();
