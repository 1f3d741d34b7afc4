/* The controller's keypad: the lock, a key for each hand, the end key, and a lamp for each seat. */
import { plain } from "./clauses.js";
import { byId, keyed, label, make, settle } from "./draw.js";
import { isOffered } from "./offers.js";

const chosen = { seat: 0, asked: "" };
let newest = null;

function key(words, cls, press, name = words) {
  return make("button", { class: `key ${cls}`, type: "button", "aria-label": name, onclick: press }, make("span", {}, words), make("i", { class: "lamp", "aria-hidden": "true" }));
}

/** A key by its name, and what the document calls it where that is no name.
    @param {Floor.PadKey} given */
const fullName = ({ key: name, printed }) => printed ? `${name} (in the document: ${printed})` : name;

/** @param {any} place @param {Floor.Pad} pad @param {any} press */
function build(place, pad, press) {
  const hands = make("div", { class: "key-hands", role: "group", "aria-label": "Hand keys" });
  for (const { hand, pays } of pad.hands) {
    const made = key(plain(hand), "key-hand", () => press({ do: "press_hand", seat: chosen.seat, hand }), `${plain(hand)}, pays ${pays}`);
    made.dataset.hand = hand;
    hands.append(made);
  }
  const coin = key(pad.lock.key, "key-coin", () => press({ do: "coin_in" }), fullName(pad.lock));
  const over = key(pad.over.key, "key-over", () => press({ do: "game_over" }), fullName(pad.over));
  const call = key("Call supervisor", "key-call", () => press({ do: "call_supervisor" }));
  place.replaceChildren(
    make("div", { class: "pad-screen", "aria-live": "polite" }, make("span", { class: "pad-state" }), make("span", { class: "pad-next" })),
    make("div", { class: "pad-seats", role: "group", "aria-label": "Seat of the hand key" }),
    hands,
    make("div", { class: "pad-row" }, coin, call, over));
}

/** @param {any} row @param {Floor.TableFrame} frame @param {number} seats */
function drawSeats(row, frame, seats) {
  const keys = [];
  const on = (seat) => [...frame.keys.lamps, ...frame.keys.by_accident].filter((lamp) => lamp.seat === seat);
  for (let seat = seats; seat >= 1; seat -= 1) {
    const button = keyed(row, String(seat), () => make("button", { class: "pad-seat", type: "button", onclick: () => { chosen.seat = seat; newest(); } }, String(seat)));
    const light = frame.keys.lights[seat] ?? "off";
    button.dataset.light = light;
    button.classList.toggle("keyed", on(seat).length > 0);
    button.classList.toggle("wrong", frame.keys.by_accident.some((lamp) => lamp.seat === seat));
    button.setAttribute("aria-pressed", String(chosen.seat === seat));
    label(button, `Seat ${seat}, light ${light}${on(seat).map((lamp) => `, ${plain(lamp.hand)} keyed${"done" in lamp ? "" : " by accident"}`).join("")}`);
    keys.push(String(seat));
  }
  settle(row, keys);
}

/** Lamps as the controller has them; the key that comes next glows.
    @param {Floor.TableFrame} frame @param {number} seats @param {any} press */
export function drawKeypad(frame, seats, press) {
  const place = byId("keypad");
  const pad = frame.console?.pad;
  place.hidden = !pad || !frame.keys;
  if (place.hidden) return;
  /* A key is made once and pressed much later: it draws what the table is by then. */
  newest = () => drawKeypad(frame, seats, press);
  const mark = JSON.stringify(pad);
  if (place.dataset.pad !== mark) { place.dataset.pad = mark; build(place, pad, press); }
  /** @type {Floor.ConsoleStep["do"]} */
  const next = frame.console.step?.do ?? { do: "" };
  /* The seat that is settled or keyed now is chosen once; whoever chooses another one keeps it. */
  const asked = ["press_hand", "settle"].includes(next.do) ? `${frame.round_number}/${next.seat}/${next.hand ?? ""}` : "";
  if (asked && asked !== chosen.asked) chosen.seat = next.seat;
  chosen.asked = asked;
  if (!chosen.seat) chosen.seat = Number(Object.keys(frame.round?.seats ?? {})[0] ?? 1);
  drawSeats(place.querySelector(".pad-seats"), frame, seats);
  place.querySelector(".pad-state").textContent = plain(frame.keys.state);
  place.querySelector(".pad-next").textContent = `key ${frame.keys.key}`;
  const works = (key, action) => { place.querySelector(key).disabled = !isOffered(frame.console.keys, action); };
  works(".key-coin", { do: "coin_in" });
  works(".key-call", { do: "call_supervisor" });
  works(".key-over", { do: "game_over" });
  const closes = next.do === "game_over" || (next.do === "close" && frame.keys.locked);
  place.querySelector(".key-coin").classList.toggle("next", next.do === "coin_in");
  place.querySelector(".key-coin").classList.toggle("lit", frame.keys.locked);
  place.querySelector(".key-over").classList.toggle("next", closes);
  place.querySelector(".key-call").classList.toggle("next", next.do === "call_supervisor");
  /* A hand key's lamp is the chosen seat's, unless a key has one lamp for the whole table. */
  /** @param {{ seat: number, hand: string }} lamp @param {HTMLElement} hand */
  const shown = (lamp, hand) => lamp.hand === hand.dataset.hand && (!pad.per_seat || lamp.seat === chosen.seat);
  for (const hand of place.querySelectorAll(".key-hand")) {
    hand.classList.toggle("next", next.do === "press_hand" && next.hand === hand.dataset.hand);
    const wrong = frame.keys.by_accident.some((lamp) => shown(lamp, hand));
    hand.classList.toggle("wrong", wrong);
    hand.classList.toggle("lit", wrong || frame.keys.lamps.some((lamp) => shown(lamp, hand)));
    hand.disabled = !isOffered(frame.console.keys, { do: "press_hand", seat: chosen.seat, hand: hand.dataset.hand });
    hand.setAttribute("aria-pressed", String(hand.classList.contains("lit")));
  }
}
