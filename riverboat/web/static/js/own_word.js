/* One's own word in the cut: drawn in this browser, kept in it with what was seen before the bet,
   sealed with the bet, and told when no bet can follow. */
import { ask } from "./ask.js";
import { canHash, hex, sealOf } from "./hashing.js";

const KEY = "riverboat.words";
const MOST = 300;
const AGAIN = 300;
const TRIES = 4;

/**
 * What this browser remembers of a bet: the deck as it was published then, and the word.
 * @typedef {{ table: string, number: number, root: string, lowest: number, deepest: number, seat: number,
 *   word: string, seal: string, sealed: number, told: number }} Kept
 */

/** @type {Kept[]} A private window keeps nothing: then until the page is left. */
let memory = [];
const telling = new Set();

/** @returns {Kept[]} */
function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return Array.isArray(kept) ? kept : memory;
  } catch { return memory; }
}

/** The newest are kept, in their order. @param {Kept} one */
function keep(one) {
  memory = [...all().filter((other) => !(other.root === one.root && other.seat === one.seat)), one].slice(-MOST);
  try { localStorage.setItem(KEY, JSON.stringify(memory)); } catch { /* a private window */ }
}

/** What was kept of a commitment of a table, whatever the house says of it now.
    @param {string} table @param {number} number */
export const keptOf = (table, number) => all().filter((one) => one.table === table && one.number === number);

/** @param {Floor.TableFrame} frame */
const inPlay = (frame) => frame.decks.find((deck) => deck.stage === "in_play" && deck.root);

/** The seal that goes with a bet: of a word that is drawn once a round and kept before it is sent.
    None where the cards are real, or where another screen has sealed a word for this seat.
    @param {Floor.TableFrame} frame */
export async function sealFor(frame) {
  const deck = inPlay(frame);
  const { seat } = frame.you;
  if (!deck || !canHash()) return "";
  const there = frame.words[seat]?.seal;
  const own = all().find((one) => one.root === deck.root && one.seat === seat && one.table === frame.table);
  if (own) return there && there !== own.seal ? "" : own.seal;
  if (there) return "";
  const word = hex(crypto.getRandomValues(new Uint8Array(32)));
  const seal = await sealOf(deck.root, seat, word);
  keep({ table: frame.table, number: deck.commitment, root: deck.root, lowest: deck.lowest, deepest: deck.deepest, seat, word, seal, sealed: 0, told: 0 });
  return seal;
}

/** The house has put the bet and its seal down, in this entry. @param {string} seal @param {number} entry */
export function noteSealed(seal, entry) {
  const own = all().find((one) => one.seal === seal);
  if (own && !own.sealed) keep({ ...own, sealed: entry });
}

/** Tell the word as soon as no bet can follow: only for the deck that it was sealed for.
    @param {Floor.TableFrame} frame */
export function tellWord(frame) {
  const deck = inPlay(frame);
  const seat = frame.you?.seat;
  const there = frame.words?.[seat];
  if (!deck || !there || there.word !== null || frame.round?.phase !== "ready") return;
  const own = all().find((one) => one.root === deck.root && one.seat === seat && one.seal === there.seal);
  if (own && !telling.has(own.seal)) { telling.add(own.seal); tell(frame.table, own, 1); }
}

/** The answer says in which entry it stands: a house that leaves it out has this against it.
    @param {string} table @param {Kept} own @param {number} attempt */
async function tell(table, own, attempt) {
  try {
    const done = await ask(table, { do: "tell_word", seat: own.seat, word: own.word });
    keep({ ...(all().find((one) => one.seal === own.seal) ?? own), told: done.at });
  } catch (problem) {
    if (problem.code === "cut.fixed" || problem.code === "word.told" || attempt === TRIES) return;
    setTimeout(() => tell(table, own, attempt + 1), AGAIN);
  }
}
