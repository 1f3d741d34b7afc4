/* The deck as a grid: tap a card and it lies in the next free place; tap again and it is back. */
import { SUIT_PATHS, cardName, showCard } from "./cards.js";
import { byId, make, svg } from "./draw.js";

export const RANKS = [..."AKQJT98765432"];
export const SUITS = [..."shdc"];

/** A picker over `grid`; `changed` is told whenever cards were laid or taken back. */
export function cardPicker(grid, placesBox, changed) {
  let places = [];
  let laid = new Map();
  let next = null;

  const buttons = new Map();
  for (const suit of SUITS) {
    for (const rank of RANKS) {
      const code = rank + suit;
      const button = make("button", { type: "button", class: `pick-card suit-${suit}`, "data-code": code, "aria-pressed": "false", onclick: () => tap(code) },
        make("span", { class: "unseen" }, cardName(code)), make("span", { "aria-hidden": "true" }, rank === "T" ? "10" : rank), svg("0 0 100 100", `<path d="${SUIT_PATHS[suit]}"/>`, "pick-suit"));
      buttons.set(code, button);
      grid.append(button);
    }
  }
  grid.addEventListener("keydown", (event) => move(event, [...buttons.values()]));

  const spots = () => places.flatMap((place) => Array.from({ length: place.count }, (_, n) => `${place.name}.${n}`));
  const free = () => spots().find((spot) => !laid.has(spot)) ?? null;

  function tap(code) {
    const there = [...laid].find(([, card]) => card === code);
    if (there) { laid.delete(there[0]); next = there[0]; } else {
      const spot = next !== null && !laid.has(next) ? next : free();
      if (spot === null) return;
      laid.set(spot, code);
      next = null;
    }
    draw();
    changed();
  }

  function draw() {
    const aim = next !== null && !laid.has(next) ? next : free();
    for (const [code, button] of buttons) {
      const down = [...laid.values()].includes(code);
      button.setAttribute("aria-pressed", String(down));
      button.disabled = !down && aim === null;
    }
    for (const place of places) {
      for (let n = 0; n < place.count; n += 1) slot(`${place.name}.${n}`, place, aim);
    }
  }

  function slot(spot, place, aim) {
    const box = byId(`slot-${spot}`);
    const code = laid.get(spot) ?? null;
    box.classList.toggle("aim", spot === aim);
    if (box.dataset.card === (code ?? "")) return;
    box.dataset.card = code ?? "";
    box.replaceChildren(make("span", { class: "unseen" }, code ? `${place.label}: ${cardName(code)}, take back` : `${place.label}: no card yet`));
    if (!code) return;
    const card = make("span", { class: "card", "aria-hidden": "true" }, make("span", { class: "card-turn" }));
    showCard(card, code, "red");
    box.append(card);
  }

  function lay(wanted) {
    places = wanted;
    laid = new Map([...laid].filter(([spot]) => spots().includes(spot)));
    next = null;
    placesBox.replaceChildren(...places.filter((place) => place.count).map((place) => make("div", { class: "place" },
      make("p", { class: "place-name" }, place.label),
      make("div", { class: "place-cards" }, ...Array.from({ length: place.count }, (_, n) => {
        const spot = `${place.name}.${n}`;
        return make("button", { type: "button", class: "slot", id: `slot-${spot}`, onclick: () => back(spot) });
      })))));
    draw();
  }

  function back(spot) {
    laid.delete(spot);
    next = spot;
    draw();
    changed();
  }

  return {
    lay,
    clear() { laid.clear(); next = null; draw(); changed(); },
    cards(name) { return [...laid].filter(([spot]) => spot.startsWith(`${name}.`)).sort(([a], [b]) => a.localeCompare(b)).map(([, code]) => code); },
    missing() {
      const spot = free();
      return spot === null ? null : places.find((place) => spot.startsWith(`${place.name}.`));
    },
  };
}

/* Arrow keys walk the grid as it is drawn: thirteen ranks to a suit. */
function move(event, cards) {
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: RANKS.length, ArrowUp: -RANKS.length };
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const to = cards.indexOf(document.activeElement) + step;
  cards[to]?.focus();
}
