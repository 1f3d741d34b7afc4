/* The one thing that the procedure asks for now, and one button that does it. */
import { sentence } from "./ask.js";
import { clauseList, plain } from "./clauses.js";
import { make } from "./draw.js";
import { isOffered } from "./offers.js";
import { placeCounts } from "./stub_count.js";

const BUTTONS = {
  start_round: "Open the bets", close_bets: "No more bets", count_chips: "Chips collected",
  deal_out: "Deal", turn: "Turn", close: "Clear the table", start_shuffle: "Shuffle",
  finish_shuffle: "Shuffled", load: "Load the deck", cut: "Cut", receive_deck: "Deck received", count_stub: "Counted",
  call_supervisor: "Call the supervisor", verify_win: "Verified", key_in_winner: "Key in the winner",
  turn_key: "Turn the key", press_j_pot: "Press J-pot", print_win_page: "Win page printed", pay_award: "Paid", settle: "Done",
  confirm: "Sign and resume", remove_deck: "Deck changed", go_idle: "Spread the cards", approve: "Approve", designate: "Open the table",
  close_table: "Close the table", close_day: "Close the day", call_off: "Call the round off", drop: "Drop taken", restore_device: "Back in use",
  mark_device: "Covered", use_method: "Use this method", withdraw: "Withdraw",
};
const COUNTS = { count_stub: ["cards", "Cards in the deck"], cut: ["depth", "Cards from the top"], count_chips: ["chips", "Chips counted"], finish_shuffle: ["count", "Cards counted"] };
const PEOPLE = { dealer: "The dealer", floorperson: "The floorperson", supervisor: "The supervisor", house: "The floor", player: "A player", system: "The machine", lab: "The laboratory" };

const LONG = 110;

/** @param {Partial<Floor.ConsoleStep>} step @param {Floor.Pad} [pad] */
export function buttonWords(step, pad = null) {
  if (step.machine) return /cut/i.test(step.words) ? "Fix the cut" : "Shuffle and commit";
  const tag = step.do?.do;
  if (step.button) return step.button;
  if (tag === "coin_in" && pad) return `Press ${pad.lock.key}`;
  if (tag === "game_over" && pad) return `Press ${pad.over.key}`;
  if (tag === "press_hand") return `Press ${plain(step.do.hand)}`;
  if (tag === "turn_key") return `Turn the key to ${step.do.to}`;
  return BUTTONS[tag] ?? "Done";
}

/** @param {Floor.ConsoleStep} step */
function counted(step) {
  const [field, plainly] = COUNTS[step.do?.do] ?? [];
  const words = step.counts ? "Cards in the stub" : plainly;
  if (!field || !(field in step.do)) return null;
  if (field === "count" && !step.do.count) return null;
  const { minimum: min = 0, maximum: max } = step.bounds?.[field] ?? {};
  const input = make("input", { type: "number", inputmode: "numeric", min, max: max ?? 60, value: step.do[field], "aria-label": words });
  const nudge = (by) => make("button", { class: "button", type: "button", "aria-label": by > 0 ? "one more" : "one less", onclick: () => { input.value = Math.min(max ?? Infinity, Math.max(min, Number(input.value) + by)); } }, by > 0 ? "+" : "−");
  return { field, input, element: make("div", { class: "stepper" }, make("span", {}, words), nudge(-1), input, nudge(1)) };
}

/** What the dealer’s hands do before this is asked for; the record has it, so there is no button.
    @param {Floor.ConsoleStep} step @param {Floor.Console} told */
function atOnce(step, told) {
  if (!step.first?.length) return [];
  return [
    make("p", { class: "step-who" }, told.part === "dealer" && told.on_duty ? "You, at once" : "The dealer, at once"),
    make("ul", { class: "step-first" }, ...step.first.map((one) => make("li", {}, make("span", {}, [one.words, ...one.how].join("; ")), clauseList(one.cites, told.clauses)))),
  ];
}

/** @param {any} place @param {Floor.TableFrame} frame */
function nobody(place, frame) {
  const words = frame.round?.phase === "betting" ? "The players bet." : "Nothing waits for the house.";
  place.replaceChildren(make("p", { class: "step-who" }, "Waiting"), make("p", { class: "step-words" }, words));
}

/** Draw it; a step that is the same is left alone, so that a key pressed twice is pressed once.
    @param {any} place @param {Floor.TableFrame} frame @param {{ onDo: any, onMachine: any, words?: Record<string, string> }} given */
export function drawStep(place, frame, { onDo, onMachine, words = {} }) {
  const told = frame.console;
  const step = told?.step ?? null;
  const mark = JSON.stringify([step, told?.on_duty, frame.at, frame.dealer]);
  if (place.dataset.mark === mark) return;
  const focused = place.contains(document.activeElement) && document.activeElement.classList.contains("big");
  place.dataset.mark = mark;
  if (!step) { nobody(place, frame); return; }
  const yours = step.yours && told.on_duty;
  place.dataset.yours = yours ? "yes" : "no";
  const who = step.who === "player" && step.seat ? (frame.seated[step.seat] ?? `Seat ${step.seat}`) : (PEOPLE[step.who] ?? plain(step.who));
  const parts = [
    ...atOnce(step, told),
    make("p", { class: "step-who" }, yours ? (words.yours ?? "You, now") : `${who}, now`),
    make("p", { class: step.words.length > LONG ? "step-words long" : "step-words" }, sentence(step.words)),
  ];
  if (step.say) parts.push(make("p", { class: "step-say" }, make("span", {}, "Say aloud"), make("q", {}, step.say)));
  if (step.how.length) parts.push(make("ul", { class: "step-how" }, ...step.how.map((line) => make("li", {}, sentence(line)))));
  if (yours && step.who === "player") parts.push(make("p", { class: "step-wait" }, "Enter what the player does, just below."));
  else if (yours && (step.do || step.machine)) parts.push(doing(step, { onDo, onMachine, words, pad: told.pad, orders: told.orders }));
  else if (!yours) parts.push(make("p", { class: "step-wait" }, `${who} does this; the table goes on by itself.`));
  const cites = clauseList(step.cites, told.clauses);
  if (cites) parts.push(cites);
  place.replaceChildren(...parts);
  if (focused) place.querySelector(".big")?.focus();
}

/** @param {Floor.ConsoleStep} step @param {{ onDo: any, onMachine: any, words: Record<string, string>, pad: Floor.Pad, orders: Floor.Offered[] }} given */
function doing(step, { onDo, onMachine, words, pad, orders }) {
  const count = counted(step);
  const places = step.counts ? placeCounts(step.counts) : null;
  const send = async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    const action = { ...step.do, ...(count ? { [count.field]: Number(count.input.value) } : {}), ...(places ? { places: places.wrong() } : {}) };
    const done = await (step.machine ? onMachine() : onDo(action));
    if (!done) button.disabled = false;
  };
  const big = make("button", { class: "button primary big", type: "button", onclick: send }, words[step.do?.do] ?? buttonWords(step, pad));
  const row = make("div", { class: "step-do" }, count?.element, places?.element, big);
  if (step.do?.do === "settle" && isOffered(orders, { do: "settle_all" })) row.append(make("button", { class: "button", type: "button", onclick: () => onDo({ do: "settle_all" }) }, "Settle all that is owed"));
  return row;
}
