/* The table in the supervisor's hand: its next step, its key switch, its award, the floor's orders. */
import { mintId, post, sentence, tablePath, tellRefusal } from "./ask.js";
import { showCards } from "./cards.js";
import { clauseList, plain } from "./clauses.js";
import { make, say } from "./draw.js";
import { floorForms } from "./floor_forms.js";
import { keySwitch, showSwitch } from "./key_switch.js";
import { drawStep } from "./next_step.js";
import { askOfTwo } from "./second.js";
import { drawPicture, onFelt } from "./table_picture.js";

const parts = {};

export function freshBench(place) {
  for (const name of Object.keys(parts)) delete parts[name];
  place.replaceChildren();
}

/** @param {any} place @param {Floor.TableFrame} frame @param {any} act */
function build(place, frame, act) {
  parts.title = make("h2", { class: "bench-title" });
  parts.state = make("p", { class: "lead" });
  parts.step = make("section", { class: "step", "aria-label": "The next step" });
  parts.award = make("section", { class: "panel award", "aria-label": "The award in hand" });
  parts.switch = keySwitch((to) => act({ do: "turn_key", to }), () => act({ do: "press_j_pot" }));
  parts.keys = make("section", { class: "panel key-panel", "aria-label": "Key switch" }, make("h2", {}, "Key switch"), parts.switch, make("p", { class: "panel-words" }));
  parts.stand = make("button", { class: "button", type: "button", hidden: true, onclick: () => standIn(frame.table) });
  parts.picture = make("div");
  parts.notices = make("section", { class: "panel" });
  parts.forms = make("section", { class: "panel", "aria-label": "The floor’s orders" });
  place.replaceChildren(make("header", { class: "bench-head" }, parts.title, parts.state, make("p", { class: "links" }, make("a", { href: `/dealer/${encodeURIComponent(frame.table)}` }, "Dealer’s console"), make("a", { href: `/rounds?table=${encodeURIComponent(frame.table)}` }, "Its rounds")), parts.stand),
    make("div", { class: "bench-main" }, parts.step, parts.award, parts.picture), make("aside", { class: "bench-side" }, parts.keys, parts.notices, parts.forms));
}

/** At a demo table the computer supervises, until somebody takes its part. */
async function standIn(table) {
  const role = parts.stand.dataset.role;
  try { await post(`${tablePath(table)}/take-over`, { id: mintId(), role }); } catch (problem) { tellRefusal(problem); }
}

/** @param {Floor.TableFrame} frame @param {any} reads */
function drawStand(frame, reads) {
  parts.stand.hidden = reads || !frame.demo;
  const taken = Boolean(frame.console?.stands_in);
  parts.stand.dataset.role = taken ? "" : "supervisor";
  say(parts.stand, taken ? "Let the computer supervise" : "Take the supervisor’s part");
}

/** @param {Floor.TableFrame} frame */
function drawAward(frame) {
  const lamp = frame.keys?.lamps?.[0];
  parts.award.hidden = !lamp;
  if (!lamp) return;
  const playing = frame.round?.seats?.[lamp.seat];
  const mark = JSON.stringify([lamp, playing?.cards, frame.round?.community, frame.sign]);
  if (parts.award.dataset.mark === mark) return;
  parts.award.dataset.mark = mark;
  const hand = make("div", { class: "award-hand" });
  const common = frame.round?.community?.length ? frame.round.community : [];
  showCards(hand, [...(playing?.cards ?? []), ...common], { round: `award${frame.round_number}`, deck: frame.decks[0]?.back });
  const done = lamp.said.map((words) => make("li", {}, words));
  const logged = lamp.done.some(([step]) => ["press_j_pot", "key_in_winner", "print_win_page"].includes(step));
  const light = frame.keys.lights[lamp.seat];
  parts.award.replaceChildren(make("h2", {}, `Seat ${lamp.seat}: ${plain(lamp.hand)}`),
    make("p", { class: "award-facts" }, `${playing?.player || frame.seated[lamp.seat] || "the player"} · progressive light ${light === "locked" ? "on" : light}`),
    hand, make("ul", { class: "award-done" }, ...done),
    logged ? make("p", {}, make("a", { class: "button win-page", href: `${tablePath(frame.table)}/rounds/${frame.round_number}/seats/${lamp.seat}/win-page`, target: "_blank", rel: "noopener" }, "Win page (PDF)")) : null);
}

/** @param {Floor.TableFrame} frame */
function drawNotices(frame) {
  const accidents = (frame.keys?.by_accident ?? []).map((lamp) => ({ words: lamp.words, cites: lamp.cites, overdue: false }));
  const list = [...accidents, ...(frame.notices ?? [])];
  parts.notices.hidden = !list.length;
  parts.notices.replaceChildren(make("h2", {}, "What is due"), make("ul", { class: "notices" }, ...list.map((one) => make("li", {}, make("span", {}, sentence(one.words)), one.overdue ? make("b", {}, "overdue") : null, clauseList(one.cites, frame.console?.clauses)))));
}

/** @param {any} place @param {Floor.TableFrame} frame @param {{ printed: Floor.Felt, reads: any, again: any }} given */
export function drawBench(place, frame, { printed, reads, again }) {
  const act = async (action) => {
    try { const done = await askOfTwo(frame.table, action); again(); return done; } catch (problem) { tellRefusal(problem); return false; }
  };
  const machine = async () => {
    try { await post(`${tablePath(frame.table)}/machine`, { id: mintId() }); return true; } catch (problem) { tellRefusal(problem); return false; }
  };
  if (!place.firstChild) build(place, frame, act);
  say(parts.title, frame.table);
  say(parts.state, `${printed.title ?? ""} · round ${frame.round_number} · ${frame.dealer || "nobody"} deals${frame.interrupted ? " · INTERRUPTED" : ""}${frame.test ? " · TEST" : ""}`);
  parts.step.hidden = !frame.console;
  if (frame.console) drawStep(parts.step, frame, { onDo: act, onMachine: machine, words: { yours: "For you" } });
  const switched = frame.console?.pad?.switch && frame.keys;
  parts.keys.hidden = !switched;
  if (switched) {
    showSwitch(parts.switch, { at: frame.keys.key, next: frame.console.step?.do, offers: reads ? [] : frame.console.keys });
    say(parts.keys.lastChild, frame.keys.key === "JPH" ? "The table is halted for the jackpot." : `Controller: ${plain(frame.keys.state).toLowerCase()}.`);
  }
  drawStand(frame, reads);
  drawAward(frame);
  drawPicture(parts.picture, { round: onFelt(frame), seated: frame.seated, seats: printed.seats, lights: frame.keys?.lights, number: frame.round_number, deck: frame.decks[0]?.back, test: frame.test, name: printed.title, against: printed.dealer_hand, marked: frame.console?.step?.seat ?? 0 });
  drawNotices(frame);
  floorForms(parts.forms, frame, { act, reads });
}
