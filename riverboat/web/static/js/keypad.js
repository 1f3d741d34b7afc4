/* The controller's keypad: COIN IN, a key for each hand, GAME OVER, and a lamp for each seat. */
import { plain } from "./clauses.js";
import { byId, keyed, label, make, settle } from "./draw.js";

const chosen = { seat: 0 };
let newest = null;

function key(words, cls, press, name = words) {
  return make("button", { class: `key ${cls}`, type: "button", "aria-label": name, onclick: press }, make("span", {}, words), make("i", { class: "lamp", "aria-hidden": "true" }));
}

function build(place, pad, press) {
  const hands = make("div", { class: "key-hands", role: "group", "aria-label": "Hand keys" });
  for (const { hand, pays } of pad.hands) {
    const made = key(plain(hand), "key-hand", () => press({ do: "press_hand", seat: chosen.seat, hand }), `${plain(hand)}, pays ${pays}`);
    made.dataset.hand = hand;
    hands.append(made);
  }
  const coin = key("COIN IN", "key-coin", () => press({ do: "coin_in" }), `COIN IN: ${pad.lock}`);
  const over = key("GAME OVER", "key-over", () => press({ do: "game_over" }), `GAME OVER: ${pad.over}`);
  const call = key("Call supervisor", "key-call", () => press({ do: "call_supervisor" }));
  place.replaceChildren(
    make("div", { class: "pad-screen", "aria-live": "polite" }, make("span", { class: "pad-state" }), make("span", { class: "pad-next" })),
    make("div", { class: "pad-seats", role: "group", "aria-label": "Seat of the hand key" }),
    hands,
    make("div", { class: "pad-row" }, coin, call, over));
}

function drawSeats(row, frame, seats) {
  const keys = [];
  const lamps = Object.fromEntries(frame.keys.lamps.map((lamp) => [lamp.seat, lamp]));
  for (let seat = seats; seat >= 1; seat -= 1) {
    const button = keyed(row, String(seat), () => make("button", { class: "pad-seat", type: "button", onclick: () => { chosen.seat = seat; newest(); } }, String(seat)));
    const light = frame.keys.lights[seat] ?? "off";
    button.dataset.light = light;
    button.classList.toggle("keyed", Boolean(lamps[seat]));
    button.setAttribute("aria-pressed", String(chosen.seat === seat));
    label(button, `Seat ${seat}, light ${light}${lamps[seat] ? `, ${plain(lamps[seat].hand)} keyed` : ""}`);
    keys.push(String(seat));
  }
  settle(row, keys);
}

/** Lamps as the controller has them; the key that comes next glows. */
export function drawKeypad(frame, seats, press) {
  const place = byId("keypad");
  const pad = frame.console?.pad;
  place.hidden = !pad || !frame.keys;
  if (place.hidden) return;
  /* A key is made once and pressed much later: it draws what the table is by then. */
  newest = () => drawKeypad(frame, seats, press);
  const mark = JSON.stringify(pad);
  if (place.dataset.pad !== mark) { place.dataset.pad = mark; build(place, pad, press); }
  const next = frame.console.step?.do ?? {};
  if (next.do === "press_hand") chosen.seat = next.seat;
  if (!chosen.seat) chosen.seat = Number(Object.keys(frame.round?.seats ?? {})[0] ?? 1);
  drawSeats(place.querySelector(".pad-seats"), frame, seats);
  place.querySelector(".pad-state").textContent = plain(frame.keys.state);
  place.querySelector(".pad-next").textContent = `key ${frame.keys.key}`;
  const closes = next.do === "game_over" || (next.do === "close" && frame.keys.locked);
  place.querySelector(".key-coin").classList.toggle("next", next.do === "coin_in");
  place.querySelector(".key-coin").classList.toggle("lit", frame.keys.locked);
  place.querySelector(".key-over").classList.toggle("next", closes);
  place.querySelector(".key-call").classList.toggle("next", next.do === "call_supervisor");
  for (const hand of place.querySelectorAll(".key-hand")) {
    hand.classList.toggle("next", next.do === "press_hand" && next.hand === hand.dataset.hand);
    hand.classList.toggle("lit", frame.keys.lamps.some((lamp) => lamp.hand === hand.dataset.hand));
  }
}
