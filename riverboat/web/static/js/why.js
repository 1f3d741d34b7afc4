/* Results that explain themselves: words, arithmetic, the line of the table, the clause. */
import { get, sentence, tablePath } from "./ask.js";
import { byId, make } from "./draw.js";
import { dollars, expected, signed } from "./money.js";

const kept = { round: null, results: [], clauses: {} };

/** Ask again whenever one's own results have changed, and keep the answer after the round. */
export async function fetchWhy(table, changed) {
  try {
    const told = await get(`${tablePath(table)}/explain`);
    if (told.results.length) { Object.assign(kept, told); changed(); }
  } catch { /* the next frame asks again */ }
}

export function whyOf(round) {
  return kept.round === round ? kept.results : [];
}

function article(result) {
  const figures = [];
  if (result.stake_cents) figures.push(["Staked", dollars(result.stake_cents)]);
  if (result.pays) figures.push(["Pays", result.pays]);
  if (result.line) figures.push(["Hand", `${result.line}${result.table ? ` (${result.table})` : ""}`]);
  if (result.paid_cents) figures.push(["Paid on top", dollars(result.paid_cents)]);
  figures.push(["Comes to", signed(result.net_cents)]);
  return make("article", { class: "why-one", "data-how": result.net_cents > 0 ? "won" : result.net_cents < 0 ? "lost" : "push" },
    make("p", { class: "why-says" }, sentence(result.words)),
    make("dl", {}, ...figures.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])),
    make("ul", { class: "cites", "aria-label": "By these clauses" }, ...result.cites.map((id) => {
      const clause = kept.clauses[id];
      return make("li", {}, make("b", {}, clause?.number ? `${id} · ${clause.number}` : id), clause ? ` ${clause.text}` : "");
    })));
}

function coached(notes) {
  if (!notes.length) return [];
  const cost = notes.reduce((sum, note) => sum + note.cost, 0);
  const lines = notes.map((note) => make("li", {}, note.cost < 0.005
    ? `${note.street}: ${note.choice}, the best choice`
    : `${note.street}: ${note.choice} gave away ${expected(note.cost).slice(1)}; ${note.best} was best`));
  const words = cost < 0.5
    ? "The coach: every decision was the best one."
    : `The coach: your decisions cost ${expected(cost).slice(1)} against the best play.`;
  return [make("section", { class: "why-one coach-says" }, make("p", { class: "why-says" }, words), make("ul", {}, ...lines))];
}

export function openWhy(round, spot, names, notes) {
  const results = whyOf(round);
  const about = spot ? results.filter((one) => one.spots.includes(spot)) : results;
  byId("why-title").textContent = spot ? `Why: ${names[spot]}` : "Why your hand was paid so";
  const words = byId("why-words");
  words.replaceChildren(...(about.length ? about : results).map(article), ...coached(notes));
  if (!words.children.length) words.append(make("p", {}, "The dealer has not come to it yet."));
  byId("why").showModal();
}
