/* What each decision of a finished round cost against the best, as the house works it out again
   from the record: no page has to have been open meanwhile. */
import { get, sentence, tablePath } from "./ask.js";
import { make } from "./draw.js";
import { expected } from "./money.js";

const asked = new Map();

/** One's seats in a round with their decisions; asked for once, and again only if that failed. */
export function askCosts(table, round) {
  const key = `${table} ${round}`;
  if (!asked.has(key)) {
    const answer = get(`${tablePath(table)}/rounds/${round}/coach`).then((told) => told.seats);
    answer.catch(() => asked.delete(key));
    asked.set(key, answer);
  }
  return asked.get(key);
}

/** The sum on the plate; nothing where nothing was decided.
    @param {Floor.SeatCosts} given */
export function costInShort({ decisions, cost }) {
  if (!decisions.length || !cost) return "";
  const what = decisions.length > 1 ? "decisions" : "decision";
  return cost.antes === "0" ? "Coach: the best play" : `Coach: your ${what} cost ${average(cost.cents)}`;
}

const average = (cents) => (cents < 0.5 ? "less than a cent" : expected(cents).slice(1));

/** Multiples as the buttons write them. */
const timesWords = (words) => sentence(words.replace(/(\d)x\b/g, "$1×"));

/** The sum in one sentence, then decision by decision.
    @param {Floor.SeatCosts} seat */
export function costList(seat) {
  const how = ({ cost }) => (cost === null ? "unknown" : cost.antes === "0" ? "none" : "some");
  const lines = seat.decisions.map((one) => make("li", { "data-cost": how(one) }, timesWords(one.words)));
  return [make("p", { class: "cost-words" }, timesWords(seat.words)), ...(lines.length ? [make("ul", { class: "costs" }, ...lines)] : [])];
}
