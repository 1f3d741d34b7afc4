/* The dealer's console: the next step, the felt, the keypad, trouble. */
import { ask, get, mintId, post, sentence, tablePath, tellRefusal } from "./ask.js";
import { drawReport } from "./card_report.js";
import { clauseList, plain } from "./clauses.js";
import { byId, make, say } from "./draw.js";
import { enter } from "./entering.js";
import { drawIncidents } from "./incidents.js";
import { drawKeypad } from "./keypad.js";
import { look } from "./live.js";
import { buttonWords, drawStep } from "./next_step.js";
import { drawEntering } from "./entering_bets.js";
import { drawPicture, onFelt } from "./table_picture.js";

const table = byId("console").dataset.table;
const STATES = { round: "a round is played", in_play: "a round is played", used: "between rounds", shuffling: "the deck is shuffled", shuffled: "the deck is shuffled", ready: "the deck is ready", deck_change: "a deck is brought", interrupted: "play is interrupted", configured: "not open yet", device_down: "the device is out of use", stacked: "the deck is stacked" };
const PHASES = { betting: "bets are open", closed: "bets are closed", locked: "the progressive is locked", ready: "ready to deal", deciding: "the players decide", turning: "a card is turned", settling: "bets are settled", over: "the round is over", void: "the round is void" };
/** @type {Floor.Felt} */
let printed = null;

async function tried(asking) {
  try { await asking; return true; } catch (problem) { tellRefusal(problem); return false; }
}

const act = (action) => tried(ask(table, action));
const machine = () => tried(post(`${tablePath(table)}/machine`, { id: mintId() }));
const part = (role) => tried(post(`${tablePath(table)}/take-over`, { id: mintId(), role }));

/** @param {Floor.TableFrame} frame @param {Floor.Me} me */
function drawPart(frame, me) {
  const place = byId("part");
  const mine = frame.dealer === me.name;
  const mark = `${mine} ${frame.demo} ${frame.test} ${Boolean(frame.console)}`;
  if (place.dataset.mark === mark) return;
  place.dataset.mark = mark;
  place.replaceChildren();
  if (frame.demo && mine && !frame.uncommitted) place.append(make("button", { class: "button", type: "button", onclick: () => part("") }, "Let the computer deal"));
  else if (frame.demo && !mine) place.append(make("button", { class: "button primary", type: "button", onclick: () => part("dealer") }, "Take the dealer’s part"));
}

/** @param {Floor.TableFrame} frame */
function drawNotices(frame) {
  byId("notices-panel").hidden = !frame.notices.length;
  byId("notices").replaceChildren(...frame.notices.map((one) => make("li", { "data-overdue": one.overdue ? "yes" : "no" },
    make("span", {}, sentence(one.words)), one.overdue ? make("b", {}, "overdue") : null, clauseList(one.cites, frame.console?.clauses))));
}

/** @param {Floor.TableFrame} frame */
function drawAlso(frame) {
  const tasks = (frame.console?.also ?? []).filter((task) => !(task.who === "player" && !task.yours));
  byId("also-panel").hidden = !tasks.length;
  const mark = JSON.stringify(tasks);
  const place = byId("also");
  if (place.dataset.mark === mark) return;
  place.dataset.mark = mark;
  place.replaceChildren(...tasks.map((task) => make("li", {}, make("span", {}, sentence(task.words)), make("small", {}, plain(task.who)),
    task.yours && task.do && frame.console.on_duty ? make("button", { class: "button", type: "button", onclick: () => act(task.do) }, buttonWords(task)) : null)));
}

/** @param {Floor.TableFrame} frame */
function drawDecks(frame) {
  byId("decks").replaceChildren(...frame.decks.map((deck) => make("li", {}, make("i", { class: `deck-back back-${deck.back}`, "aria-hidden": "true" }), make("span", {}, `${plain(deck.deck)}: ${plain(deck.stage)}`),
    make("small", {}, deck.commitment ? `commitment ${deck.commitment} · ${deck.root.slice(0, 8)}…` : frame.uncommitted ? "physical cards" : "not committed yet", deck.forced ? " · FORCED" : ""))));
}

/** @param {Floor.TableFrame} frame @param {Floor.Me} me */
function draw(frame, me) {
  const state = frame.state === "in_play" || frame.state === "round" ? PHASES[frame.round?.phase] ?? "a round is played" : STATES[frame.state] ?? plain(frame.state);
  const tray = frame.round ? `round ${frame.round_number}` : "no round yet";
  say(byId("standing"), `${frame.test ? "TEST · " : ""}${tray} · ${state} · ${frame.dealer || "nobody"} deals`);
  drawPart(frame, me);
  if (frame.console) drawStep(byId("step"), frame, { onDo: act, onMachine: machine, words: {} });
  else drawWatching(frame);
  drawPicture(byId("picture"), { round: onFelt(frame), seated: frame.seated, seats: printed.seats, lights: frame.keys?.lights, number: frame.round_number, deck: frame.decks[0]?.back, test: frame.test, marked: frame.console?.step?.seat ?? 0, name: printed.title, against: printed.dealer_hand });
  drawKeypad(frame, printed.seats, act);
  drawReport(frame, act);
  drawEntering(frame, printed, act);
  drawNotices(frame);
  drawAlso(frame);
  drawIncidents(frame, act);
  drawDecks(frame);
}

/** @param {Floor.TableFrame} frame */
function drawWatching(frame) {
  const place = byId("step");
  if (place.dataset.mark === "watching") return;
  place.dataset.mark = "watching";
  place.replaceChildren(make("p", { class: "step-who" }, "You are watching"),
    make("p", { class: "step-words" }, `${frame.dealer || "Nobody"} deals here.`),
    make("p", { class: "step-wait" }, frame.demo ? "Take the dealer’s part, at a table of your own, to deal it yourself." : "The floor assigns the dealer of a live table."));
}

async function open() {
  const me = await enter();
  printed = await get(`${tablePath(table)}/felt`);
  look([`table/${table}`], (frame) => { if (frame.kind === "table") draw(frame, me); });
}

open().catch(tellRefusal);
