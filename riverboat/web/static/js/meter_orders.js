/* What the keepers of a meter order: each is hidden until it is asked for, and says what it does. */
import { Refusal, post, tablePath } from "./ask.js";
import { plain } from "./clauses.js";
import { make } from "./draw.js";
import { cents, toTheCent } from "./money.js";
import { choice, field, openOrder } from "./order_sheet.js";

export const UNITS = 10_000;

const money = (units) => toTheCent(Math.floor(units / UNITS));
/** Whether there is no part of a cent in what was typed. */
const isWhole = (dollars) => /^-?\d*(\.\d{0,2}0*)?$/.test(String(dollars ?? "").trim());
const WHOLE = "Cents are whole: say the amount with two places after the point at most.";
const reason = () => field("Reason", "reason");

/** @param {Floor.MeterBooks} book @param {any} action */
function keep(book, action) {
  return ({ id, said, second }) => post(`/api/meters/${encodeURIComponent(book.meter)}/commands`, { id, action: action(said), ...second });
}

/** @param {Floor.MeterBooks} book */
const whoSigns = (book) => (book.demo ? "program" : "signs");

/** @param {Floor.MeterBooks} book */
function adjust(book) {
  const by = ({ dollars }) => cents(dollars) * UNITS;
  const tells = (said) => {
    const after = book.units + by(said);
    if (!isWhole(said.dollars)) return WHOLE;
    if (!by(said)) return `${book.meter} stands at ${money(book.units)}; say by how much that is to change.`;
    return after < 0 ? `${book.meter} stands at ${money(book.units)} and does not go below zero.` : `${book.meter} goes from ${money(book.units)} to ${money(after)}.`;
  };
  return { title: "Adjust the meter", tells, second: whoSigns(book), button: "Adjust it",
    fields: [field("Change in dollars (− lowers)", "dollars", { type: "number", step: "0.01", placeholder: "0.00" }), choice("Code", "code", book.codes.map((code) => [code, plain(code)])), reason()],
    send: keep(book, (said) => {
      if (!isWhole(said.dollars)) throw new Refusal({ words: WHOLE });
      return { do: "adjust_link", units: by(said), code: said.code, reason: said.reason };
    }) };
}

/** @param {Floor.MeterBooks} book */
function takeOut(book) {
  return { title: "Take the meter out of service", button: "Take it out", fields: [reason()],
    tells: () => `No table takes a wager for ${book.meter}, and its sign shows no amount, until it is brought back. What stands on it stays.`,
    send: keep(book, (said) => ({ do: "take_link_out", reason: said.reason })) };
}

/** @param {Floor.MeterBooks} book */
function bringBack(book) {
  return { title: "Bring the meter back", button: "Bring it back",
    tells: () => `The tables take wagers for ${book.meter} again, and its sign shows ${money(book.units)}.`,
    send: keep(book, () => ({ do: "bring_link_back" })) };
}

/* A meter ends only when no table plays for it. */
/** @param {Floor.MeterBooks} book */
function stillPlayed(book) {
  return book.members.length ? ` ${book.members.join(", ")} ${book.members.length > 1 ? "play" : "plays"} for it and must leave it before.` : "";
}

/** @param {Floor.MeterBooks} book */
const reserve = (book) => (book.reserve_units ? ` and ${money(book.reserve_units)} of its reserve` : "");

/** @param {Floor.MeterBooks} book */
function retire(book) {
  return { title: "Retire the meter", second: "signs", button: "Retire it for good", danger: true, fields: [reason()],
    tells: () => `${book.meter} ends for good. ${money(book.units)}${reserve(book)} ${book.reserve_units ? "are" : "is"} registered as owed to players, and its sign shows no amount any more.${stillPlayed(book)}`,
    send: keep(book, (said) => ({ do: "retire_link", reason: said.reason })) };
}

/** @param {Floor.MeterBooks} book @param {Floor.MeterAndMembers[]} others */
function move(book, others) {
  const target = (said) => others.find((one) => one.meter === said.to);
  const tells = (said) => {
    const to = target(said);
    if (!to) return "There is no other open meter that could take it.";
    return `${book.meter} ends for good. All that it owes, ${money(book.units)}${reserve(book)}, goes onto ${to.meter}, which goes from ${money(to.units)} to ${money(to.units + book.units)}.${stillPlayed(book)}`;
  };
  return { title: "Move the amount to another meter", tells, second: "signs", button: "Move it for good", danger: true,
    fields: [choice("Onto the meter", "to", others.map((one) => [one.meter, `${one.meter} (${money(one.units)})`])), reason()],
    send: keep(book, (said) => ({ do: "move_link", to: said.to ?? "", reason: said.reason })) };
}

/** @param {Floor.MeterBooks} book @param {string} table */
function leave(book, table) {
  return { title: `${table} leaves the meter`, button: "It leaves",
    tells: () => `${table} takes no progressive wagers for ${book.meter} any more, until it joins again. What it has added stays on the meter.`,
    send: keep(book, () => ({ do: "leave_link", table })) };
}

/** @param {Floor.MeterBooks} book @param {string} table */
function join(book, table) {
  return { title: `${table} joins the meter`, button: "It joins",
    tells: () => `${table} plays for ${book.meter} from its next round on.`,
    send: keep(book, () => ({ do: "join_link", table })) };
}

/** An award is taken back at the table where it was won; the meter follows in the same breath.
    @param {Floor.MeterBooks} book @param {Floor.AwardLine} award */
export function backOut(book, award) {
  const where = `${toTheCent(award.cents)} for a ${plain(award.hand)} at ${award.table}, round ${award.round}, seat ${award.seat}`;
  const after = award.after_units === book.units ? "had not moved and goes on" : `goes from ${money(book.units)} to ${money(award.after_units)}`;
  return { title: `Back out award no. ${award.number}`, second: whoSigns(book), button: "Back it out", danger: true, fields: [reason()],
    tells: () => `The award of ${where}, is taken back. ${book.meter} ${after}. ${award.paid ? "It was paid: the player owes it back." : "It was not paid yet, and will not be."} Both records stay.`,
    send: ({ id, said, second }) => post(`${tablePath(award.table)}/commands`, { id, action: { do: "back_out", award: award.award, reason: said.reason }, ...second }) };
}

function ordering(words, order, done) {
  return make("button", { class: "button", type: "button", "aria-haspopup": "dialog", onclick: () => openOrder({ ...order(), done }) }, words);
}

/** The buttons of a meter's keeper; a meter that has ended takes no orders.
    @param {Floor.MeterBooks} book @param {Floor.MeterAndMembers[]} others @param {any} done */
export function orderButtons(book, others, done) {
  if (book.status === "ended") return make("p", { class: "panel-words" }, "It has ended; its books stay.");
  const inService = book.status === "in_service";
  return make("div", { class: "book-do" },
    ordering("Adjust", () => adjust(book), done),
    inService ? ordering("Out of service", () => takeOut(book), done) : ordering("Back in service", () => bringBack(book), done),
    ordering("Move", () => move(book, others), done),
    ordering("Retire", () => retire(book), done));
}

/** The tables that play for a meter, and those that are set up for it and do not.
    @param {Floor.MeterBooks} book @param {any} keeps @param {any} done */
export function memberLines(book, keeps, done) {
  const button = (words, order) => (keeps && book.status !== "ended" ? ordering(words, order, done) : "");
  return make("ul", { class: "members" },
    ...book.members.map((table) => make("li", {}, make("span", {}, table), make("small", {}, "plays for it"), button("Leave", () => leave(book, table)))),
    ...book.may_join.map((table) => make("li", {}, make("span", {}, table), make("small", {}, "set up for it, not joined"), button("Join", () => join(book, table)))));
}

/** @param {Floor.MeterBooks} book @param {Floor.AwardLine} award @param {any} done */
export function backOutButton(book, award, done) {
  return ordering("Back out", () => backOut(book, award), done);
}
