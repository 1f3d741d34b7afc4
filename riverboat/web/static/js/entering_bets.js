/* At a table with physical cards the dealer enters what the players do with their chips. */
import { byId, make } from "./draw.js";
import { dollars } from "./money.js";

function betting(told, printed, act) {
  const seat = make("select", { "aria-label": "Seat" }, ...told.seats.map((one) => make("option", { value: one }, `Seat ${one}`)));
  const spot = make("select", { "aria-label": "Betting area" }, ...told.spots.map((one) => make("option", { value: one }, printed.spots[one] ?? one)));
  const cents = make("input", { type: "number", min: 1, step: 1, value: Math.max(1, (told.ante_cents || 500) / 100), "aria-label": "Dollars" });
  const send = () => act({ do: "wager", seat: Number(seat.value), spot: spot.value, cents: Math.round(Number(cents.value) * 100) });
  return [make("h2", {}, "Chips on the felt"), make("div", { class: "enter-row" }, seat, spot, make("label", {}, "$", cents), make("button", { class: "button primary", type: "button", onclick: send }, "Enter"))];
}

function deciding(told, printed, act) {
  const bet = (one) => make("button", { class: "button primary", type: "button", onclick: () => act({ do: "bet", seat: told.seat, cents: one.cents }) }, `${one.times}×`, make("small", {}, dollars(one.cents)));
  return [make("h2", {}, `Seat ${told.seat}: ${printed.spots[told.spot] ?? told.spot}`),
    make("div", { class: "enter-row" }, make("button", { class: "button danger", type: "button", onclick: () => act({ do: "fold", seat: told.seat }) }, "Fold"), ...told.bets.map(bet))];
}

export function drawEntering(frame, printed, act) {
  const place = byId("enters");
  const told = frame.console?.on_duty ? frame.console.enters : null;
  place.hidden = !told;
  if (!told) { place.dataset.mark = ""; return; }
  const mark = JSON.stringify(told);
  if (place.dataset.mark === mark) return;
  place.dataset.mark = mark;
  place.replaceChildren(...(told.phase === "betting" ? betting : deciding)(told, printed, act));
}
