/* A dispute: opened by whoever played or answers for the round; its evidence is frozen at once. */
import { mintId, post, tellRefusal } from "./ask.js";
import { make } from "./draw.js";
import { signature } from "./second.js";
import { when } from "./when.js";

const KEEPERS = ["supervisor", "manager", "administrator"];
const LOOK_AGAIN = 4000;

function form(fields, button, send) {
  const made = make("form", { class: "floor-form" }, make("div", { class: "fields" }, ...fields), make("button", { class: "button primary" }, button));
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    try { await send(Object.fromEntries(new FormData(made)), made); } catch (problem) { tellRefusal(problem); }
  });
  return made;
}

const area = (words, name) => make("label", {}, words, make("textarea", { name, rows: 2, required: true, maxlength: 480 }));

/** @param {Floor.Dispute} told */
function opened(told) {
  const lines = [[told.opened.at, told.opened.by, told.opened.reason], ...told.notes.map((note) => [note.at, note.by, note.words])];
  if (told.decided) lines.push([told.decided.at, told.decided.by.join(" and "), `Decided: ${told.decided.decision} (${told.decided.reason})`]);
  return make("ul", { class: "dispute-lines" }, ...lines.map(([at, by, words]) => make("li", {}, make("small", {}, `${when(at)} · ${by}`), make("span", {}, words))));
}

/** What is said stands above the forms, and is told anew while somebody types in them.
    @param {any} place @param {Floor.ToldRound} story @param {any} given */
export function drawDispute(place, story, { path, door, again }) {
  const told = make("div", { "aria-live": "polite" });
  const forms = make("div");
  let last = "";
  let state = "";
  /** @param {Floor.Dispute} dispute */
  const draw = (dispute) => {
    const now = JSON.stringify(dispute);
    if (now === last) return;
    last = now;
    told.replaceChildren(...(dispute ? standing(dispute) : [make("p", { class: "panel-words" }, "Nothing is disputed. Opening a dispute freezes everything that this round rests on as evidence.")]));
    if (state === (dispute?.state ?? "none")) return;
    state = dispute?.state ?? "none";
    forms.replaceChildren(...asking(state, { path, door, redraw }));
  };
  const redraw = async () => draw((await again()).dispute);
  place.replaceChildren(told, forms);
  draw(story.dispute);
  setInterval(() => { if (!document.hidden && state === "open") redraw().catch(() => {}); }, LOOK_AGAIN);
}

/** @param {Floor.Dispute} told */
function standing(told) {
  return [make("p", { class: "dispute-state" }, `The dispute is ${told.state}. ${told.evidence_as_frozen ? "The evidence is what was frozen when it was opened." : "THE EVIDENCE IS NOT WHAT WAS FROZEN."}`), opened(told)];
}

/** What somebody may say about it now. */
function asking(state, { path, door, redraw }) {
  const send = (what, more = async () => ({})) => async (said, made) => {
    await post(`${path}/dispute${what}`, { id: mintId(), ...said, ...await more() });
    made.reset();
    await redraw();
  };
  if (state === "none") {
    const able = ["visitor", "player", ...KEEPERS].includes(door);
    return able ? [form([area("What is wrong with it?", "reason")], "Open a dispute", send(""))] : [];
  }
  if (!KEEPERS.includes(door) || state === "decided") return [];
  const second = async () => {
    const signed = await signature("A dispute’s decision takes two people, neither of whom dealt the round.");
    return signed ? { second: signed } : {};
  };
  return [form([area("A note", "words")], "Add the note", send("/notes")),
    form([area("Decision", "decision"), area("Reason", "reason")], "Decide, with a second person", send("/decision", second))];
}
