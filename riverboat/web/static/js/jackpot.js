/* Run the jackpot: programs deal a royal flush at a test table; the visitor has the key. */
import { ask, get, mintId, post, tablePath, tellRefusal } from "./ask.js";
import { plain } from "./clauses.js";
import { byId, make, say } from "./draw.js";
import { enter } from "./entering.js";
import { keySwitch, showSwitch } from "./key_switch.js";
import { look } from "./live.js";
import { drawStep } from "./next_step.js";
import { odometer } from "./odometer.js";
import { drawPicture } from "./table_picture.js";

const STATES = { jackpot: "Progressive jackpot", pending: "Jackpot pending", win: "JACKPOT WON" };
const amount = odometer(byId("big-amount"), 7);
amount.show(Number(byId("big-amount").dataset.cents));
let table = new URLSearchParams(location.search).get("table") ?? "";
/** @type {Floor.Felt} */
let printed = null;
let won = 0;
let closed = false;
let paper = "";

async function act(action) {
  try { await ask(table, action); return true; } catch (problem) { tellRefusal(problem); return false; }
}

const turner = keySwitch((to) => act({ do: "turn_key", to }), () => act({ do: "press_j_pot" }));

/** @param {Floor.TableFrame} frame */
function drawSign(frame) {
  const sign = frame.sign;
  if (!sign) return;
  const place = byId("big-sign");
  const lamp = frame.keys.lamps[0];
  const pressed = lamp?.done.some(([step]) => step === "press_j_pot" || step === "key_in_winner");
  if (pressed) won = frame.round_number;
  const state = won ? (frame.keys.key === "JPH" || pressed ? "win" : "after") : lamp ? "pending" : sign.shows;
  place.dataset.state = state;
  if (sign.cents !== null) amount.show(sign.cents);
  say(byId("big-state"), state === "after" ? "The meter begins again at its seed" : STATES[state] ?? plain(sign.shows));
  say(byId("big-under"), lamp ? `Seat ${lamp.seat}: ${plain(lamp.hand)}` : "TEST table · play money");
}

/** Once the amount is fixed, the paper for it: the same PDF that a floor signs.
    @param {Floor.TableFrame} frame */
function drawPaper(frame) {
  const lamp = frame.keys?.lamps.find((one) => one.done.some(([step]) => step === "press_j_pot"));
  if (!lamp || paper) return;
  paper = `${tablePath(table)}/rounds/${frame.round_number}/seats/${lamp.seat}/win-page`;
  byId("switch-place").append(make("p", {}, paperLink()));
}

const paperLink = () => make("a", { class: "button win-page", href: paper, target: "_blank", rel: "noopener" }, "Win page (PDF)");

/** @param {Floor.TableFrame} frame */
function finished(frame) {
  const place = byId("step");
  if (place.dataset.mark === "finished") return;
  place.dataset.mark = "finished";
  place.replaceChildren(make("p", { class: "step-who" }, "Paid"), make("p", { class: "step-words" }, "The round is over. The sign shows what the next winner plays for."),
    make("div", { class: "step-do" }, make("button", { class: "button primary big", type: "button", onclick: () => location.assign(location.pathname) }, "Run it again"), paper ? paperLink() : null, make("a", { class: "button as-button", href: `/sign/${encodeURIComponent(frame.sign.link)}` }, "Its sign, full screen"), make("a", { class: "button as-button", href: "/dealer" }, "Deal a game")));
}

/** @param {Floor.TableFrame} frame */
function draw(frame) {
  say(byId("book-title"), `${printed.title} · test table`);
  drawPicture(byId("picture"), { round: frame.round, seated: frame.seated, seats: printed.seats, lights: frame.keys?.lights, number: frame.round_number, deck: frame.decks[0]?.back, test: frame.test, name: printed.title, against: printed.dealer_hand, marked: frame.console?.step?.seat ?? 0 });
  if (frame.keys) {
    showSwitch(turner, { at: frame.keys.key, next: frame.console?.step?.yours ? frame.console.step.do : null, offers: frame.console?.keys });
    drawSign(frame);
  }
  drawPaper(frame);
  closed ||= frame.round?.phase === "over";
  if (closed) finished(frame);
  else drawStep(byId("step"), frame, { onDo: act, onMachine: () => post(`${tablePath(table)}/machine`, { id: mintId() }), words: { yours: "You, the supervisor, now" } });
}

async function begin() {
  byId("begin").disabled = true;
  try {
    await enter();
    if (!table) {
      ({ table } = await post("/api/jackpot", { id: mintId() }));
      history.replaceState(null, "", `?table=${encodeURIComponent(table)}`);
    }
    printed = await get(`${tablePath(table)}/felt`);
    byId("switch-place").replaceChildren(make("h2", { class: "section-title" }, "Your key"), turner);
    byId("show").classList.add("running");
    look([`table/${table}`], (frame) => { if (frame.kind === "table") draw(frame); });
  } catch (problem) {
    byId("begin").disabled = false;
    table = "";
    history.replaceState(null, "", location.pathname);
    tellRefusal(problem);
  }
}

byId("begin").addEventListener("click", begin);
drawPicture(byId("picture"), { round: null, seats: Number(byId("picture").dataset.seats), test: true, name: byId("picture").dataset.title });
byId("switch-place").replaceChildren(make("h2", { class: "section-title" }, "Your key"), turner);
showSwitch(turner, { at: "RUN", next: null, offers: [] });
if (table) begin();
