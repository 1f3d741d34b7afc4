/* Results that explain themselves: words, arithmetic, the line of the table, the clause. */
import { get, sentence, tablePath } from "./ask.js";
import { citeList } from "./clauses.js";
import { costList } from "./coach.js";
import { byId, make } from "./draw.js";
import { dollars, signed } from "./money.js";

const kept = { round: 0, results: [], clauses: {} };
const asking = { last: 0, answered: 0 };

/** Ask again whenever one's own results have changed, and keep the answer after the round. Where
    the next round has begun before the house answers, the finished one is asked for. */
export async function fetchWhy(table, round, changed) {
  asking.last += 1;
  const turn = asking.last;
  try {
    let told = await get(`${tablePath(table)}/explain`);
    if (told.round !== round) told = await get(`${tablePath(table)}/explain?round=${round}`);
    if (!told.results.length || turn < asking.answered) return;
    asking.answered = turn;
    Object.assign(kept, told);
    changed();
  } catch { /* the next frame asks again */ }
}

/** The last round of one's own from the record, for a page that was not there when it ended: the
    felt as one saw it; null where one's last round was another. */
export async function recallRound(table, number, seat) {
  const { rounds } = await get(`/api/rounds?most=1&table=${encodeURIComponent(table)}`);
  if (!rounds.some((line) => line.round === number)) return null;
  const told = await get(`${tablePath(table)}/explain?round=${number}`);
  if (told.seat !== seat) return null;
  if (kept.round <= number) Object.assign(kept, told);
  return { ...told.seen, number, seat };
}

export function whyOf(round) {
  return kept.round === round ? kept.results : [];
}

/** @param {Floor.Explanation} result */
function article(result) {
  const figures = [];
  if (result.stake_cents) figures.push(["Staked", dollars(result.stake_cents)]);
  if (result.pays) figures.push(["Pays", result.pays]);
  if (result.line) figures.push(["Hand", result.line]);
  if (result.paid_cents) figures.push(["Paid on top", dollars(result.paid_cents)]);
  figures.push(["Comes to", signed(result.net_cents)]);
  return make("article", { class: "why-one", "data-how": result.net_cents > 0 ? "won" : result.net_cents < 0 ? "lost" : "push" },
    make("p", { class: "why-says" }, sentence(result.words)),
    make("dl", {}, ...figures.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])),
    citeList(result.cites, kept.clauses));
}

/** `costs`: with the coach, what one's decisions cost, as soon as the house has answered. */
export function openWhy(round, spot, names, costs) {
  const results = whyOf(round);
  const about = spot ? results.filter((one) => one.spots.includes(spot)) : results;
  byId("why-title").textContent = spot ? `Why: ${names[spot]}` : "How this hand was settled";
  const words = byId("why-words");
  words.replaceChildren(...(about.length ? about : results).map(article));
  if (!words.children.length) words.append(make("p", {}, "The dealer has not come to it yet."));
  const shown = words.firstChild;
  costs?.then((seats) => {
    if (words.firstChild === shown) words.append(...seats.map((seat) => make("section", { class: "why-one coach-says" }, make("h3", {}, "What each decision cost"), ...costList(seat))));
  }, () => {});
  byId("why").showModal();
}
