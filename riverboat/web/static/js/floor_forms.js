/* What only a person of the floor can say: a date, a name, how the table stood, a reason. */
import { cardNumber } from "./card_report.js";
import { plain } from "./clauses.js";
import { make } from "./draw.js";
import { toTheCent } from "./money.js";
import { buttonWords } from "./next_step.js";
import { isOffered } from "./offers.js";
import { get, tellRefusal } from "./ask.js";

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

/** @param {Floor.TableFrame} frame @param {any} act */
function opening(frame, act) {
  const now = new Date();
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  return form("Open the gaming day", [field("Date", "date", { type: "date", value: today }), field("Tray, in dollars", "tray", { type: "number", min: 0, value: 50000 })], "Open", (said) => act({ do: "open_day", date: said.date, tray_cents: cents(said.tray) }));
}

/** Who may deal where people run the table; read anew when somebody looks, as accounts change. */
function dealerList(now) {
  const list = make("select", { name: "name", required: true }, make("option", { value: "" }, "Choose a dealer"));
  const read = async () => {
    const { dealers } = await get("/api/dealers");
    const there = [...list.options].slice(1).map((one) => one.value);
    const names = dealers.filter((name) => name !== now);
    if (names.join("/") === there.join("/")) return;
    const chosen = list.value;
    list.replaceChildren(list.options[0], ...names.map((name) => make("option", { value: name }, name)));
    if (names.includes(chosen)) list.value = chosen;
  };
  list.addEventListener("focus", () => read().catch(tellRefusal));
  read().catch(tellRefusal);
  return list;
}

/** @param {Floor.TableFrame} frame @param {any} act */
function dealer(frame, act) {
  const name = frame.demo || frame.test ? field("Dealer’s name", "name", { maxlength: 60 }) : make("label", {}, "Dealer", dealerList(frame.dealer));
  return form(frame.dealer ? `${frame.dealer} deals; relieve` : "Assign a dealer", [name], "Assign", (said) => act({ do: "assign_dealer", name: said.name }));
}

/** The tray is counted by somebody, without the book's figure before them, and looked at twice. */
function closing(act) {
  const tray = field("Counted in the tray, in dollars", "tray", { type: "number", min: 0, step: "0.01", inputmode: "decimal" });
  const look = make("div", { class: "second-look", role: "status", hidden: true });
  const made = form("Close the gaming day", [tray], "Confirm count", (said) => {
    const counted = cents(said.tray);
    const turn = (sure) => { look.hidden = !sure; made.querySelector(".fields").hidden = sure; made.querySelector(":scope > .button").hidden = sure; };
    const close = async (event) => { event.currentTarget.disabled = true; if (!await act({ do: "close_day", tray_cents: counted })) turn(false); };
    look.replaceChildren(make("p", {}, `${toTheCent(counted)} counted; close the day?`),
      make("div", { class: "sheet-buttons" }, make("button", { class: "button primary", type: "button", onclick: close }, "Close the day"), make("button", { class: "button", type: "button", onclick: () => turn(false) }, "Count again")));
    turn(true);
    look.querySelector("button").focus();
  });
  made.append(look);
  return made;
}

const DECISIONS = { resume: "resume the round", void: "void the round", by_hand: "finish by hand" };

/** @param {Floor.TableFrame} frame @param {any} act */
function confirming(frame, act) {
  const made = form("Sign how the table stood", [field("Statement", "statement", { value: frame.interrupted, maxlength: 300 }), make("label", {}, "Decision", make("select", { name: "decision" }, ...frame.console.orders.filter((one) => one.do === "confirm").flatMap((one) => one.arguments.decision.values).map((value) => make("option", { value }, DECISIONS[value]))))], "Sign", (said) => act({ do: "confirm", ...said }));
  made.classList.add("urgent");
  return made;
}

/** @param {Floor.Trouble} one @param {any} act */
function ordering(one, act) {
  return form(one.words, [field("Reason", "reason", { maxlength: 200 })], "Order it", (said) => act(one.deck ? { do: one.do, deck: one.deck, reason: said.reason } : { do: one.do, reason: said.reason }));
}

/** @param {Floor.TableFrame} frame @param {any} act */
function correcting(frame, act) {
  const seats = frame.console.mending.payouts;
  const spots = ["ante", ...new Set(seats.flatMap((seat) => Object.keys(frame.round.seats[seat].wagers_cents)))].filter((spot, at, all) => all.indexOf(spot) === at);
  const pick = (words, name, values) => make("label", {}, words, make("select", { name }, ...values.map((one) => make("option", { value: one }, plain(String(one))))));
  return form("Make a wrong payout good", [pick("Seat", "seat", seats), pick("Bet", "spot", spots), field("Change in dollars (− the player gives back)", "dollars", { type: "number", step: "0.01" }), field("Reason", "reason", { maxlength: 200 })], "Correct", (said) => act({ do: "correct", seat: Number(said.seat), spot: said.spot, cents: cents(said.dollars), reason: said.reason }));
}

/** A card that the dealer told wrong, where real cards are dealt.
    @param {Floor.TableFrame} frame @param {any} act */
function puttingRight(frame, act) {
  const places = Object.keys(frame.console.mending.cards).map((one) => [one, /^\d+$/.test(one) ? `seat ${one}` : plain(one)]);
  const place = make("label", {}, "Place", make("select", { name: "place" }, ...places.map(([value, words]) => make("option", { value }, words))));
  return form("The card that really lies there", [place, field("Which of its cards", "number", { type: "number", min: 1, max: 6, value: 1 }), field("Card, like Ah or 10s", "card", { pattern: CARD, maxlength: 3 }), field("Reason", "reason", { maxlength: 200 })], "Put it right",
    (said) => act({ do: "correct_card", place: said.place, number: Number(said.number), card: cardNumber(coded(said.card)), reason: said.reason }));
}

/** No hand counts, by the floor's word: by two people once cards were seen.
    @param {any} act */
function voiding(act) {
  return form("Void the round: every wager goes back", [field("Reason", "reason", { maxlength: 200 })], "Void the round", (said) => act({ do: "void_round", reason: said.reason }));
}

/** What a rulebook leaves to the floor: where it happened, and what follows.
    @param {Floor.Reportable} one @param {any} act */
function deciding(one, act) {
  const pick = (words, name, options) => make("label", {}, words, make("select", { name }, ...options.map(([value, text]) => make("option", { value }, text))));
  return form(one.title, [pick("Where", "at", one.where.map((words, number) => [number, words])), pick("The floor decides", "decision", [["continue", "go on"], ["void", "void the round"]])], "Decide",
    (said) => { const at = one.at[Number(said.at)]; act({ do: "incident", what: one.what, seat: at.seat, place: at.place, decision: said.decision }); });
}

function folded(words, ...inside) {
  return make("details", { class: "floor-fold" }, make("summary", {}, words), ...inside);
}

/** Rebuilt only when what can be ordered has changed, so that nothing that is typed is lost.
    @param {any} place @param {Floor.TableFrame} frame @param {any} given */
export function floorForms(place, frame, { act, reads }) {
  const told = frame.console;
  place.hidden = !told || reads;
  if (!told || reads) return;
  const { payouts, cards, unlit } = told.mending;
  const mark = JSON.stringify([told.mending, told.incidents.filter((one) => one.follows === "floor_decides").map((one) => [one.what, one.at]), frame.date, frame.dealer, frame.interrupted, told.trouble, told.orders.map((one) => one.do), told.also.filter((task) => task.yours).map((task) => [task.words, task.do])]);
  if (place.dataset.mark === mark) return;
  place.dataset.mark = mark;
  const forms = [];
  const can = (asked) => isOffered(told.orders, { do: asked });
  if (can("confirm")) forms.push(confirming(frame, act));
  if (can("open_day") && frame.rulebook) forms.push(opening(frame, act));
  const also = told.also.filter((task) => task.yours && task.do && task.who !== "system");
  forms.push(...also.filter((task) => task.do.do !== "close_day").map((task) => make("div", { class: "also-one" }, make("span", {}, task.words), make("button", { class: "button", type: "button", onclick: () => act(task.do) }, buttonWords(task)))));
  if (can("assign_dealer")) forms.push(folded(frame.dealer ? "Relieve the dealer" : "Assign a dealer", dealer(frame, act)));
  for (const one of told.trouble) if (one.reason) forms.push(folded(one.words, ordering(one, act)));
  if (also.some((task) => task.do.do === "close_day")) forms.push(folded("Count the tray and close the gaming day", closing(act)));
  if (payouts.length) forms.push(folded("Correct a payout", correcting(frame, act)));
  if (Object.keys(cards).length) forms.push(folded("Put a misreported card right", puttingRight(frame, act)));
  if (unlit.length) forms.push(folded("Allow a claim with the light off", form("Allow a claim with the light off", [make("label", {}, "Seat", make("select", { name: "seat" }, ...unlit.map((seat) => make("option", { value: seat }, String(seat))))), field("Reason", "reason", { maxlength: 200 })], "Two people sign", (said) => act({ do: "override_unlit", seat: Number(said.seat), reason: said.reason }))));
  for (const one of told.incidents) if (one.follows === "floor_decides") forms.push(folded(one.title, deciding(one, act)));
  if (isOffered(told.orders, { do: "void_round", incident: null })) forms.push(folded("Void the round", voiding(act)));
  place.replaceChildren(make("h2", {}, "The floor’s orders"), ...forms);
}
