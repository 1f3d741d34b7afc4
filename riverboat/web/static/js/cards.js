/* Cards, drawn by us: faces with pips and courts, backs with the boat's wheel, names for the ear. */
import { keyed, label, make, settle, svg } from "./draw.js";

const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

/* In a square of 100. */
export const SUIT_PATHS = {
  h: "M50 92C22 66 7 48 7 31 7 17 17 8 29 8c9 0 17 5 21 14C54 13 62 8 71 8c12 0 22 9 22 23 0 17-15 35-43 61z",
  d: "M50 4c9 18 21 33 34 46-13 13-25 28-34 46C41 78 29 63 16 50 29 37 41 22 50 4z",
  s: "M50 5c6 17 41 35 41 59 0 13-9 20-19 20-8 0-14-4-18-10 1 10 5 17 12 21H34c7-4 11-11 12-21-4 6-10 10-18 10C18 84 9 77 9 64 9 40 44 22 50 5z",
  c: "M50 6c12 0 21 9 21 20 0 6-3 11-6 15 3-1 6-2 9-2 12 0 20 9 20 20s-8 21-20 21c-9 0-16-5-20-12 1 12 5 22 12 27H34c7-5 11-15 12-27-4 7-11 12-20 12C14 80 6 70 6 59s8-20 20-20c3 0 6 1 9 2-3-4-6-9-6-15C29 15 38 6 50 6z",
};

/* Columns at 37, 50 and 63; rows between 27 and 113, on a card of 100 by 140. */
const [L, C, R] = [37, 50, 63];
const PIPS = {
  2: [[C, 30], [C, 110]],
  3: [[C, 30], [C, 70], [C, 110]],
  4: [[L, 30], [R, 30], [L, 110], [R, 110]],
  5: [[L, 30], [R, 30], [C, 70], [L, 110], [R, 110]],
  6: [[L, 30], [R, 30], [L, 70], [R, 70], [L, 110], [R, 110]],
  7: [[L, 30], [R, 30], [C, 50], [L, 70], [R, 70], [L, 110], [R, 110]],
  8: [[L, 30], [R, 30], [C, 50], [L, 70], [R, 70], [C, 90], [L, 110], [R, 110]],
  9: [[L, 30], [R, 30], [L, 57], [R, 57], [C, 70], [L, 83], [R, 83], [L, 110], [R, 110]],
  T: [[L, 30], [R, 30], [C, 43], [L, 57], [R, 57], [L, 83], [R, 83], [C, 97], [L, 110], [R, 110]],
};

export function cardName(code) {
  return code ? `${RANKS[code[0]]} of ${SUITS[code[1]]}` : "face-down card";
}

function pip(suit, x, y, size, turned = false) {
  const half = size / 2;
  const turn = turned ? ` rotate(180 ${x} ${y})` : "";
  return `<path class="ink" d="${SUIT_PATHS[suit]}" transform="${turn.trim()} translate(${x - half} ${y - half}) scale(${size / 100})"/>`;
}

function corner(rank, suit) {
  const text = rank === "T" ? "10" : rank;
  const squeeze = rank === "T" ? ' textLength="21" lengthAdjust="spacingAndGlyphs"' : "";
  return `<text class="ink index" x="14" y="29" text-anchor="middle"${squeeze}>${text}</text>${pip(suit, 14, 42, 16)}`;
}

/* A court is a half figure, twice: crown, face, shoulders in the suit's colour and in brass. */
function court(rank, suit) {
  const crowns = {
    K: "M37 44l-3-17 8 7 8-11 8 11 8-7-3 17z",
    Q: "M37 44c-2-6-4-10-6-13l10 4 9-10 9 10 10-4c-2 3-4 7-6 13z",
    J: "M36 44c0-9 6-15 15-15 6 0 9-5 15-4-3 3-3 8-3 19z",
  };
  const half = `<path class="brass" d="${crowns[rank]}"/><path class="skin" d="M39 44h22v9c0 7-5 12-11 12s-11-5-11-12z"/>`
    + '<path class="ink" d="M28 70c2-9 10-12 14-9l8 6 8-6c4-3 12 0 14 9z"/>'
    + '<path class="line" d="M44 51h3M53 51h3M47 58h6M50 67v3M34 70l4-7M66 70l-4-7"/>';
  return '<g transform="translate(50 70) scale(0.86 1) translate(-50 -70)"><rect class="frame" x="27" y="18" width="46" height="104" rx="3"/>'
    + `<g>${half}</g><g transform="rotate(180 50 70)">${half}</g><path class="line" d="M27 70h46"/>`
    + pip(suit, 34.500, 26, 11) + pip(suit, 65.500, 114, 11, true) + "</g>";
}

function middle(rank, suit) {
  if (rank === "A") return pip(suit, 50, 70, 46);
  if (PIPS[rank]) return PIPS[rank].map(([x, y]) => pip(suit, x, y, 20, y > 70)).join("");
  return court(rank, suit);
}

const PAPER = '<rect class="paper" x="1" y="1" width="98" height="138" rx="9"/>';

function face(code) {
  const [rank, suit] = code;
  const index = corner(rank, suit);
  const corners = `<g class="corner">${index}</g><g class="corner far" transform="rotate(180 50 70)">${index}</g>`;
  return svg("0 0 100 140", `${PAPER}${corners}<g class="middle">${middle(rank, suit)}</g>`, `face suit-${suit}`);
}

function back() {
  const lines = [];
  for (let at = -120; at <= 120; at += 12) lines.push(`M${at} 0l140 140M${at + 100} 0l-140 140`);
  const spokes = [0, 45, 90, 135].map((angle) => `<path d="M50 46v48" transform="rotate(${angle} 50 70)"/>`).join("");
  const cloth = `<svg x="7" y="7" width="86" height="126" viewBox="7 7 86 126"><rect class="cloth" x="7" y="7" width="86" height="126" rx="5"/><path class="lattice" d="${lines.join("")}"/></svg>`;
  const wheel = `<circle class="cloth" cx="50" cy="70" r="26"/><g class="wheel"><circle cx="50" cy="70" r="17"/><circle cx="50" cy="70" r="6"/>${spokes}</g>`;
  return svg("0 0 100 140", `${PAPER}${cloth}<rect class="edge" x="10" y="10" width="80" height="120" rx="4"/>${wheel}`, "back");
}

const BACKS = new Set(["red", "blue", "green", "black"]);

function makeCard(place) {
  const card = make("div", { class: "card", role: "img" });
  card.append(make("div", { class: "card-turn" }, back()));
  card.style.setProperty("--place", place);
  return card;
}

/** A card as it is known now; one that becomes known is turned over, not replaced. */
export function showCard(card, code, deck) {
  const turn = card.firstElementChild;
  card.dataset.back = BACKS.has(deck) ? deck : "red";
  label(card, cardName(code));
  if ((card.dataset.card ?? "") === (code ?? "")) return;
  card.dataset.card = code ?? "";
  turn.querySelector(".face")?.remove();
  if (code) turn.append(face(code));
  card.classList.toggle("up", Boolean(code));
}

/** A row of cards; `round` in the keys lets the next round's cards be dealt anew. */
export function showCards(parent, cards, { round, deck, places = 0 }) {
  const keys = [];
  const count = Math.max(cards.length, places);
  for (let place = 0; place < count; place += 1) {
    if (place < cards.length) {
      const key = `${round}.${place}`;
      showCard(keyed(parent, key, () => makeCard(place)), cards[place], deck);
      keys.push(key);
    } else {
      keyed(parent, `box.${place}`, () => make("div", { class: "card-box", "aria-hidden": "true" }));
      keys.push(`box.${place}`);
    }
  }
  settle(parent, keys);
}
