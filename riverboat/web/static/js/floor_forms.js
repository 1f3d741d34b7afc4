/* What only a person of the floor can say: a date, a name, how the table stood, a reason. */
import { cardNumber } from "./card_report.js";
import { plain } from "./clauses.js";
import { make } from "./draw.js";
import { signature } from "./second.js";
import { mintId, post, tablePath, tellRefusal } from "./ask.js";

function field(words, name, more = {}) {
  return make("label", {}, words, make("input", { name, required: true, autocomplete: "off", ...more }));
}

function form(words, fields, button, send) {
  const made = make("form", { class: "floor-form" }, make("h3", {}, words), make("div", { class: "fields" }, ...fields), make("button", { class: "button primary" }, button));
  made.addEventListener("submit", (event) => { event.preventDefault(); send(Object.fromEntries(new FormData(made))); });
  return made;
}

const CARD = "(10|[2-9TJQKAtjqka])[cdhsCDHS]";
const coded = (card) => `${card.slice(0, -1).toUpperCase().replace("10", "T")}${card.slice(-1).toLowerCase()}`;
const cents = (text) => Math.round(Number(text) * 100);

function opening(frame, act) {
  const today = new Date().toISOString().slice(0, 10);
  return form("Open the gaming day", [field("Date", "date", { type: "date", value: today }), field("Tray, in dollars", "tray", { type: "number", min: 0, value: 50000 })], "Open", (said) => act({ do: "open_day", date: said.date, tray_cents: cents(said.tray) }));
}

function dealer(frame, act) {
  return form(frame.dealer ? `${frame.dealer} deals; relieve` : "Assign a dealer", [field("Dealer’s name", "name", { maxlength: 60 })], "Assign", (said) => act({ do: "assign_dealer", name: said.name }));
}

function confirming(frame, act) {
  const made = form("Sign how the table stood", [field("Statement", "statement", { value: frame.interrupted, maxlength: 300 }), make("label", {}, "Decision", make("select", { name: "decision" }, ...[["resume", "resume the round"], ["void", "void the round"], ["by_hand", "finish by hand"]].map(([value, words]) => make("option", { value }, words))))], "Sign", (said) => act({ do: "confirm", ...said }));
  made.classList.add("urgent");
  return made;
}

function ordering(one, act) {
  return form(one.words, [field("Reason", "reason", { maxlength: 200 })], "Order it", (said) => act(one.deck ? { do: one.do, deck: one.deck, reason: said.reason } : { do: one.do, reason: said.reason }));
}

function correcting(frame, act) {
  const seats = Object.keys(frame.round.seats);
  const spots = ["ante", ...new Set(seats.flatMap((seat) => Object.keys(frame.round.seats[seat].wagers_cents)))].filter((spot, at, all) => all.indexOf(spot) === at);
  const pick = (words, name, values) => make("label", {}, words, make("select", { name }, ...values.map((one) => make("option", { value: one }, plain(one)))));
  return form("Make a wrong payout good", [pick("Seat", "seat", seats), pick("Bet", "spot", spots), field("Dollars; below zero the player gives back", "dollars", { type: "number", step: "0.01" }), field("Reason", "reason", { maxlength: 200 })], "Correct", (said) => act({ do: "correct", seat: Number(said.seat), spot: said.spot, cents: cents(said.dollars), reason: said.reason }));
}

/** A card that the dealer told wrong, where real cards are dealt. */
function puttingRight(frame, act) {
  const places = [...Object.keys(frame.round.seats).map((seat) => [seat, `seat ${seat}`]), ...["community", "dealer", "box"].filter((one) => frame.round[one]?.length).map((one) => [one, one])];
  const place = make("label", {}, "Place", make("select", { name: "place" }, ...places.map(([value, words]) => make("option", { value }, words))));
  return form("The card that really lies there", [place, field("Which of its cards", "number", { type: "number", min: 1, max: 6, value: 1 }), field("Card, like Ah or 10s", "card", { pattern: CARD, maxlength: 3 }), field("Reason", "reason", { maxlength: 200 })], "Put it right",
    (said) => act({ do: "correct_card", place: said.place, number: Number(said.number), card: cardNumber(coded(said.card)), reason: said.reason }));
}

/** An award with the light off, or one to be taken back: two people. */
function ofTwo(frame, doing, words, fields) {
  return form(words, fields, "Two people sign", async (said) => {
    const second = frame.demo || frame.test ? null : await signature(words);
    if (!second && !(frame.demo || frame.test)) return;
    try {
      await post(`${tablePath(frame.table)}/commands`, { id: mintId(), action: doing(said), ...(second ? { second } : {}) });
    } catch (problem) { tellRefusal(problem); }
  });
}

function folded(words, ...inside) {
  return make("details", { class: "floor-fold" }, make("summary", {}, words), ...inside);
}

/** Rebuilt only when what can be ordered has changed, so that nothing that is typed is lost. */
export function floorForms(place, frame, { act, reads }) {
  const told = frame.console;
  place.hidden = !told || reads;
  if (!told || reads) return;
  const paying = ["settling", "over"].includes(frame.round?.phase);
  const dealt = frame.uncommitted && ["deciding", "turning", "settling"].includes(frame.round?.phase);
  const mark = JSON.stringify([dealt, frame.date, frame.dealer, frame.interrupted, told.trouble, paying, Boolean(frame.keys), frame.state === "not_open", told.also.filter((task) => task.yours).map((task) => task.words)]);
  if (place.dataset.mark === mark) return;
  place.dataset.mark = mark;
  const forms = [];
  if (frame.interrupted) forms.push(confirming(frame, act));
  if (frame.rulebook && !frame.date) forms.push(opening(frame, act));
  const also = told.also.filter((task) => task.yours && task.do && task.who !== "system");
  forms.push(...also.map((task) => make("div", { class: "also-one" }, make("span", {}, task.words), make("button", { class: "button", type: "button", onclick: () => act(task.do) }, "Do it"))));
  if (frame.date) forms.push(folded(frame.dealer ? "Relieve the dealer" : "Assign a dealer", dealer(frame, act)));
  for (const one of told.trouble) if (one.reason) forms.push(folded(one.words, ordering(one, act)));
  if (paying) forms.push(folded("Correct a payout", correcting(frame, act)));
  if (dealt) forms.push(folded("Put a misreported card right", puttingRight(frame, act)));
  if (frame.keys && paying) forms.push(folded("Allow a claim with the light off", ofTwo(frame, (said) => ({ do: "override_unlit", seat: Number(said.seat), reason: said.reason }), "Allow a claim with the light off", [field("Seat", "seat", { type: "number", min: 1, max: 8 }), field("Reason", "reason", { maxlength: 200 })])));
  place.replaceChildren(make("h2", {}, "The floor’s orders"), ...forms);
}
