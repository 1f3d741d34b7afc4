/* One round, step by step: the felt as it lay then, who did what, by which clause. */
import { get, sentence, tellRefusal } from "./ask.js";
import { clauseList } from "./clauses.js";
import { drawDispute } from "./dispute.js";
import { byId, make, say } from "./draw.js";
import { signed } from "./money.js";
import { drawProof } from "./proof.js";
import { isStill } from "./settings.js";
import { drawPicture } from "./table_picture.js";
import { timeOfDay } from "./when.js";

const place = byId("replay");
const { table, number, door } = place.dataset;
/** @type {`/api/tables/${string}/rounds/${string}`} */
const path = `/api/tables/${encodeURIComponent(table)}/rounds/${number}`;
const KINDS = { done: "", sensor: "sensor", key: "key", meter: "meter", refused: "refused" };
/** @type {Floor.ToldRound} */
let story = null;
/** @type {Floor.Pictured} */
let seen = null;
let playing = 0;

/** The felt after a step; before the first one, bare. */
function pictureAt(at) {
  const entry = story.steps[at]?.entry ?? 0;
  let found = null;
  for (const one of seen.pictures) if (!entry || one.entry <= entry) found = one;
  return entry ? found : seen.pictures[0];
}

function go(at) {
  const last = story.steps.length - 1;
  const now = Math.max(0, Math.min(last, at));
  byId("scrub").value = String(now);
  const step = story.steps[now];
  say(byId("where"), `${now + 1} of ${last + 1}`);
  byId("moment").replaceChildren(make("p", { class: "moment-words" }, sentence(step.what)), make("p", { class: "moment-who" }, `${step.who} · ${timeOfDay(step.at)}`), clauseList(step.cites, seen.clauses) ?? "");
  for (const [index, item] of [...byId("steps").children].entries()) item.classList.toggle("now", index === now);
  const item = byId("steps").children[now];
  const list = byId("steps");
  list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  const picture = pictureAt(now);
  if (picture) drawPicture(byId("picture"), { round: picture.round, seated: story.players, seats: seen.felt.seats, lights: picture.lights, number, key: picture.key, name: seen.felt.title, against: seen.felt.dealer_hand });
}

function stop() {
  clearInterval(playing);
  playing = 0;
  say(byId("play"), "Play");
}

function play() {
  if (playing) { stop(); return; }
  if (Number(byId("scrub").value) >= story.steps.length - 1) go(0);
  say(byId("play"), "Pause");
  playing = setInterval(() => {
    const at = Number(byId("scrub").value) + 1;
    if (at >= story.steps.length) { stop(); return; }
    go(at);
  }, isStill() ? 1600 : 900);
}

function drawSteps() {
  byId("steps").replaceChildren(...story.steps.map((step, at) => make("li", { "data-kind": step.kind }, make("button", { type: "button", onclick: () => { stop(); go(at); } },
    make("span", { class: "step-time" }, timeOfDay(step.at)), make("b", {}, step.who), KINDS[step.kind] ? make("i", {}, KINDS[step.kind]) : "", make("span", { class: "step-what" }, sentence(step.what))))));
}

function drawResults() {
  const rows = story.results.map((one) => make("article", { class: "result", "data-how": one.result },
    make("h3", {}, `Seat ${one.seat}${story.players[one.seat] ? ` · ${story.players[one.seat]}` : ""}`, make("strong", {}, signed(Math.round(Number(one.net.replaceAll(",", "")) * 100)))), make("p", {}, sentence(one.words)), clauseList(one.cites, seen.clauses)));
  byId("results").replaceChildren(...(rows.length ? rows : [make("p", { class: "panel-words" }, story.void ? "The round is void: everything went back." : "No wager was settled.")]));
}

function wire() {
  const scrub = byId("scrub");
  scrub.max = String(story.steps.length - 1);
  scrub.addEventListener("input", () => { stop(); go(Number(scrub.value)); });
  byId("back").addEventListener("click", () => { stop(); go(Number(scrub.value) - 1); });
  byId("forth").addEventListener("click", () => { stop(); go(Number(scrub.value) + 1); });
  byId("play").addEventListener("click", play);
}

async function open() {
  [story, seen] = await Promise.all([get(path), get(`${path}/pictures`)]);
  const proved = story.proof ? story.proof.checks.every((check) => check.holds) : null;
  const said = proved === null ? "Physical cards: no commitment." : proved ? "The commitment holds: these cards were fixed before any bet." : "THE COMMITMENT DOES NOT HOLD.";
  byId("verdict").dataset.holds = String(proved);
  say(byId("verdict"), `${story.void ? "VOID. " : ""}${said}`);
  drawSteps();
  drawResults();
  drawProof(byId("proof"), story);
  drawDispute(byId("dispute"), story, { path, door, again: async () => { story = await get(path); return story; } });
  wire();
  go(story.steps.length - 1);
}

open().catch(tellRefusal);
