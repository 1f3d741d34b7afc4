/* The bar under the felt: chips to bet with, the decision, or what the table waits for. */
import { RACK, chip } from "./chips.js";
import { byId, make, say } from "./draw.js";
import { dollars, expected } from "./money.js";

let drawn = "";
/** @type {number | "off"} */
let chosen = 500;
/** @type {"off"} */
export const OFF = "off";

const sum = (wagers) => Object.values(wagers).reduce((all, cents) => all + cents, 0);
export const chosenChip = () => chosen;

/** Draw once for what it says; the focus stays where a person put it. */
function once(signature, maker) {
  if (signature === drawn) return;
  drawn = signature;
  const place = byId("moves");
  const active = document.activeElement;
  const within = place.contains(active);
  const key = within ? active.dataset.move : "";
  place.replaceChildren(...maker());
  if (!within) return;
  const next = place.querySelector(`[data-move="${key}"]`) ?? place.querySelector("[data-first]") ?? place.querySelector("button:not([disabled])");
  next?.focus({ preventScroll: true });
}

function button(words, { cls = "", move, key = "", first = false, disabled = false, onclick, small = "", worth = "", also = "" }) {
  const attributes = {
    class: `button ${cls}`, type: "button", "data-move": move, "data-first": first, disabled, onclick,
    "aria-keyshortcuts": key || null,
  };
  return make("button", attributes,
    make("span", { class: "button-words" }, words), " ",
    small ? make("small", {}, small) : null, " ",
    worth ? make("span", { class: "worth" }, worth) : null,
    also ? make("span", { class: "unseen" }, ` ${also}`) : null,
    key ? make("kbd", { "aria-hidden": "true" }, key) : null);
}

export function drawNothing() {
  once("nothing", () => []);
}

/** What the procedure asks of a player between rounds.
    @param {Floor.AskedOfYou[]} asked @param {any} act */
export function drawAsked(asked, act) {
  once(JSON.stringify(["asked", asked]), () => asked.map((one) =>
    button("I have looked: it is in order", { cls: "primary", move: "asked", first: true, onclick: () => act(one.do) })));
}

export function drawBetting(bets, { redraw }) {
  const missing = bets.missing();
  const any = Object.keys(bets.laid).length > 0;
  const again = bets.before.ante && !any;
  const signature = JSON.stringify(["bet", chosen, missing, any, again, bets.ready, bets.before, bets.left() >= 0]);
  const deal = again
    ? button("Same bets", { cls: "primary", move: "again", key: "D", first: true, small: dollars(sum(bets.before)), onclick: () => bets.again() })
    : button(bets.ready ? "Dealing…" : "Deal", {
      cls: "primary", move: "deal", key: "D", first: true, disabled: bets.ready || Boolean(missing), onclick: () => bets.deal(),
    });
  const clear = any && !bets.ready ? button("Clear", { cls: "quiet-button", move: "clear", onclick: () => bets.clear() }) : null;
  once(signature, () => [
    make("fieldset", { class: "rack", disabled: bets.ready },
      make("legend", { class: "unseen" }, "Chip to bet with"),
      ...RACK.map((cents) => rackChip(cents, redraw)), rackChip(OFF, redraw)),
    make("div", { class: "go" }, clear, deal),
  ]);
}

function rackChip(cents, redraw) {
  const isOff = cents === OFF;
  const words = isOff ? "take chips off" : `${dollars(cents)} chip`;
  const onchange = () => { chosen = cents; redraw(); };
  const input = make("input", { type: "radio", name: "chip", value: cents, "aria-label": words, "data-move": `chip ${cents}`, onchange });
  input.checked = chosen === cents;
  return make("label", { class: `rack-chip${isOff ? " off" : ""}` }, input, isOff ? make("span", { class: "off-words" }, "Take off") : chip(cents));
}

/** Fold, or one of the bets that the street allows; with the coach, what each is worth.
    @param {Floor.Decide} decide @param {{ street: string, advice: Floor.SeatAdvice, sent: boolean, onFold: any, onBet: any }} given */
export function drawDeciding(decide, { street, advice, sent, onFold, onBet }) {
  const worth = (choice) => {
    if (!advice) return "";
    const value = advice.choices[choice];
    return value ? expected(value.cents) : "";
  };
  const best = (choice) => (advice?.best === choice ? " best" : "");
  const signature = JSON.stringify(["decide", decide, advice, sent]);
  once(signature, () => [
    make("div", { class: "choices", role: "group", "aria-label": `Your decision: ${street}` },
      decide.fold ? button("Fold", { cls: `fold${best("fold")}`, move: "fold", key: "F", disabled: sent, worth: worth("fold"), also: best("fold") && "the best choice", onclick: onFold }) : null,
      ...decide.bets.map((bet, place) => button(`${bet.times}×`, {
        cls: `bet${best(`${bet.times}x`)}`, move: `bet ${bet.times}`, key: String(bet.times), first: place === 0, disabled: sent,
        small: dollars(bet.cents), worth: worth(`${bet.times}x`),
        also: `on ${street}${best(`${bet.times}x`) && ", the best choice"}`,
        onclick: () => onBet(bet),
      }))),
  ]);
}

export function drawWords(waits, need) {
  say(byId("waits"), waits);
  const place = byId("need");
  say(place, need.words);
  place.classList.toggle("short", need.short);
}

/** Letters and figures do what the buttons that name them do. */
export function wireKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches("input:not([type=radio]), select, textarea")) return;
    const wanted = event.key.toUpperCase();
    for (const one of byId("moves").querySelectorAll("button[aria-keyshortcuts]")) {
      if (one.getAttribute("aria-keyshortcuts") === wanted && !one.disabled) { event.preventDefault(); one.click(); return; }
    }
  });
}
