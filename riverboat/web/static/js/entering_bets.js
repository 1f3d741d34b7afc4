/* At a table with physical cards the dealer enters what the players do with their chips. */
import { byId, make } from "./draw.js";
import { dollars } from "./money.js";

/** @param {Floor.EntersBets} told @param {Floor.Felt} printed @param {any} act */
function betting(told, printed, act) {
  const seat = make("select", { "aria-label": "Seat" }, ...told.seats.map((one) => make("option", { value: one }, `Seat ${one}`)));
  const spot = make("select", { "aria-label": "Betting area" }, ...told.spots.map((one) => make("option", { value: one }, printed.spots[one] ?? one)));
  const cents = make("input", { type: "number", min: 1, step: 1, value: Math.max(1, (told.ante_cents || 500) / 100), "aria-label": "Dollars" });
  const send = () => act({ do: "wager", seat: Number(seat.value), spot: spot.value, cents: Math.round(Number(cents.value) * 100) });
  return [make("h2", {}, "Chips on the felt"), make("div", { class: "enter-row" }, seat, spot, make("label", {}, "$", cents), make("button", { class: "button primary", type: "button", onclick: send }, "Enter")), make("ul", { class: "entered", "aria-label": "Entered so far" })];
}

/** @param {Floor.EntersDecision} told @param {Floor.Felt} printed @param {any} act */
function deciding(told, printed, act) {
  const bet = (one) => make("button", { class: "button primary", type: "button", onclick: () => act({ do: "bet", seat: told.seat, cents: one.cents }) }, `${one.times}×`, make("small", {}, dollars(one.cents)));
  return [make("h2", {}, `Seat ${told.seat}: ${printed.spots[told.spot] ?? told.spot}`),
    make("div", { class: "enter-row" }, make("button", { class: "button danger", type: "button", onclick: () => act({ do: "fold", seat: told.seat }) }, "Fold"), ...told.bets.map(bet))];
}

/** What was entered, each slip with the button that takes it off again.
    @param {Floor.LaidChips} one @param {Floor.Felt} printed @param {any} act */
function slip(one, printed, act) {
  const words = `Seat ${one.seat}: ${printed.spots[one.spot] ?? one.spot} ${dollars(one.cents)}`;
  return make("li", {}, make("span", {}, words),
    make("button", { class: "button", type: "button", "aria-label": `Take off: ${words}`, onclick: () => act({ do: "take_back", seat: one.seat, spot: one.spot }) }, "Take off"));
}

/** @param {any} list @param {Floor.LaidChips[]} laid @param {Floor.Felt} printed @param {any} act */
function drawSlips(list, laid, printed, act) {
  const mark = JSON.stringify(laid);
  if (list.dataset.mark === mark) return;
  list.dataset.mark = mark;
  list.hidden = !laid.length;
  list.replaceChildren(...laid.map((one) => slip(one, printed, act)));
}

/** The form stays as it is filled in while slips come and go.
    @param {Floor.TableFrame} frame @param {Floor.Felt} printed @param {any} act */
export function drawEntering(frame, printed, act) {
  const place = byId("enters");
  const told = frame.console?.on_duty ? frame.console.enters : null;
  place.hidden = !told;
  if (!told) { place.dataset.mark = ""; return; }
  const { laid = null, ...asked } = /** @type {{ laid?: Floor.LaidChips[] }} */ (told);
  const mark = JSON.stringify(asked);
  if (place.dataset.mark !== mark) {
    place.dataset.mark = mark;
    place.replaceChildren(...(told.phase === "betting" ? betting(told, printed, act) : deciding(told, printed, act)));
  }
  if (laid) drawSlips(place.querySelector(".entered"), laid, printed, act);
}
