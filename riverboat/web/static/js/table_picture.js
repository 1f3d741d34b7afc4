/* The whole table from the house's side: what lies in the middle, and every seat that plays. */
import { showCards } from "./cards.js";
import { showStack } from "./chips.js";
import { keyed, label, make, say, settle } from "./draw.js";
import { dollars, signed } from "./money.js";

/** @type {["community" | "box" | "dealer", string, number][]} */
const BOXES = [["community", "Community", 3], ["dealer", "Dealer’s hand", 5], ["box", "Six card box", 1]];
const STATUS = { folded: "folded", forfeit: "forfeited", in: "" };

export const total = (wagers) => Object.values(wagers ?? {}).reduce((sum, cents) => sum + cents, 0);

/** What still lies on the felt: a deck that is shuffled again has left nothing there. */
const GATHERED = ["shuffling", "shuffled", "stacked", "ready", "idle", "closed"];
/** @param {Floor.TableFrame} frame */
export const onFelt = (frame) => (GATHERED.includes(frame.state) ? null : frame.round);

function makeSeat(seat) {
  return make("li", { class: "p-seat" },
    make("div", { class: "p-cards" }),
    make("div", { class: "p-chips" }),
    make("div", { class: "p-light", "aria-hidden": "true" }),
    make("div", { class: "p-name" }, make("b", {}, `Seat ${seat}`), make("span")),
    make("div", { class: "p-state" }));
}

/** @param {Floor.SeatView} playing @param {Floor.RoundView} round @param {string} name */
function wordsOf(playing, round, name) {
  if (!playing) return name && round?.phase === "betting" ? "no bet yet" : "";
  const settled = Object.keys(playing.results_cents ?? {}).length;
  if (settled && ["settling", "over", "void"].includes(round.phase)) return signed(playing.net_cents);
  return STATUS[playing.status] ?? playing.status.replaceAll("_", " ");
}

/** @param {any} element @param {number} seat @param {{ round: Floor.RoundView, name: string, light: string, at: any, marked: number }} given */
function drawSeat(element, seat, { round, name, light, at, marked }) {
  const playing = round?.seats?.[seat];
  const [cards, chips, , plate, state] = element.children;
  element.classList.toggle("turn", round?.turn === seat);
  element.classList.toggle("marked", marked === seat);
  element.classList.toggle("folded", playing?.status === "folded");
  element.classList.toggle("free", !name && !playing);
  element.dataset.light = light ?? "none";
  const held = playing && !(playing.status === "folded" && !playing.cards_kept) ? playing.cards : [];
  showCards(cards, held, { ...at, round: `${at.round}s${seat}` });
  showStack(chips, playing ? total(playing.wagers_cents) : 0);
  say(plate.lastChild, name || playing?.player || "free");
  const words = wordsOf(playing, round, name);
  say(state, words);
  state.dataset.how = (playing?.net_cents ?? 0) > 0 ? "won" : "";
  const lit = light === "locked" ? ", progressive light on" : "";
  label(element, `Seat ${seat}: ${name || "free"}${playing ? `, bets ${dollars(total(playing.wagers_cents))}` : ""}${words ? `, ${words}` : ""}${lit}`);
}

/** Draw the table into `parent`; the same state twice changes nothing. `against`: the dealer has a hand.
    @param {any} parent @param {{ round: Floor.RoundView, seated?: Record<string, string>, seats: number, lights?: Record<string, string>, key?: string, number?: number | string, deck?: string, test?: boolean, marked?: number, name?: string, against?: boolean }} given */
export function drawPicture(parent, { round, seated = {}, seats, lights = {}, key, number, deck, test = false, marked = 0, name = "", against = false }) {
  if (!parent.firstChild) {
    parent.classList.add("picture");
    parent.append(make("div", { class: "p-boxes" }), make("p", { class: "p-printed", "aria-hidden": "true" }), make("ul", { class: "p-seats" }));
  }
  const [boxes, printed, list] = parent.children;
  parent.dataset.test = test ? "yes" : "no";
  if (key) parent.dataset.key = key;
  say(printed, name);
  const at = { round: number ?? "none", deck };
  const shown = [];
  for (const [place, words, size] of BOXES) {
    const cards = round?.[place] ?? [];
    const usual = place === (against || round?.dealer?.length ? "dealer" : "community");
    if (!cards.length && !usual) continue;
    const box = keyed(boxes, place, () => make("div", { class: "p-box" }, make("div", { class: "p-cards" }), make("span", {}, words)));
    showCards(box.firstChild, cards, { ...at, round: `${at.round}${place}`, places: Math.max(size, cards.length) });
    shown.push(place);
  }
  settle(boxes, shown);
  const keys = [];
  for (let seat = seats; seat >= 1; seat -= 1) {
    const element = keyed(list, `seat ${seat}`, () => makeSeat(seat));
    keys.push(`seat ${seat}`);
    const away = Math.abs(seat - (seats + 1) / 2) / Math.max(1, (seats - 1) / 2);
    element.style.setProperty("--rise", (away * away).toFixed(3));
    drawSeat(element, seat, { round, name: seated[seat] ?? "", light: lights[seat], at, marked });
  }
  settle(list, keys);
  list.dataset.seats = String(seats);
}
