/* Chips: discs with edge spots, stacked as a dealer would cut them. */
import { make, svg } from "./draw.js";
import { dollars } from "./money.js";

export const VALUES = [100_000, 50_000, 10_000, 2_500, 500, 100];
export const RACK = [100, 500, 2_500, 10_000];
const MOST = 7;

const kind = (cents) => `v${cents}`;
const face = (cents) => (cents >= 100_000 ? `${cents / 100_000}K` : cents >= 100 ? `${cents / 100}` : "¢");

/** The chips that make an amount, largest first; what is less than a dollar is one small coin. */
export function cut(cents) {
  const chips = [];
  let left = cents;
  for (const value of VALUES) {
    while (left >= value) { chips.push(value); left -= value; }
  }
  if (left > 0) chips.push(left);
  return chips;
}

function disc(cents, y) {
  const spots = [0, 60, 120, 180, 240, 300]
    .map((angle) => `<path d="M-7 -48.500A49 49 0 0 1 7 -48.500L5 -37A38 38 0 0 0 -5 -37Z" transform="rotate(${angle})"/>`)
    .join("");
  return `<g class="chip ${VALUES.includes(cents) ? kind(cents) : "coin"}" transform="translate(50 ${y})"><circle class="under" cy="5" r="49"/><circle class="body" r="49"/><g class="spots">${spots}</g><circle class="ring" r="36"/><circle class="inlay" r="32"/></g>`;
}

function figure(cents, y) {
  const text = face(cents);
  const size = text.length > 2 ? 26 : 34;
  return `<text class="chip-figure ${VALUES.includes(cents) ? kind(cents) : "coin"}" x="50" y="${y + size * 0.36}" font-size="${size}" text-anchor="middle">${text}</text>`;
}

export function chip(cents) {
  return svg("-2 -2 104 110", disc(cents, 50) + figure(cents, 50), "chip-art");
}

/** A stack for an amount; a tall one shows its largest chips. */
export function stack(cents) {
  const chips = cut(cents).slice(0, MOST);
  const lift = 9;
  const base = 50 + lift * (MOST - 1);
  const discs = chips.map((value, place) => disc(value, base - place * lift));
  const top = chips.at(-1);
  const height = base + 58;
  return svg(`-2 -2 104 ${height}`, discs.join("") + figure(top, base - (chips.length - 1) * lift), "stack-art");
}

/** Chips on a spot, drawn again only when the amount changes. */
export function showStack(place, cents) {
  if (place.dataset.cents === String(cents)) return;
  place.dataset.cents = String(cents);
  place.replaceChildren();
  if (!cents) return;
  place.append(make("span", { class: "stack" }, stack(cents)), make("span", { class: "amount" }, dollars(cents)));
}
