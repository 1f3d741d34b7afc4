/* A dispute: opened by whoever played or answers for the round; its evidence is frozen at once. */
import { mintId, post, tellRefusal } from "./ask.js";
import { make } from "./draw.js";
import { signature } from "./second.js";
import { when } from "./when.js";

const KEEPERS = ["supervisor", "manager", "administrator"];

function form(words, fields, button, send) {
  const made = make("form", { class: "floor-form" }, make("div", { class: "fields" }, ...fields), make("button", { class: "button primary" }, button));
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    try { await send(Object.fromEntries(new FormData(made))); } catch (problem) { tellRefusal(problem); }
  });
  return made;
}

const area = (words, name) => make("label", {}, words, make("textarea", { name, rows: 2, required: true, maxlength: 480 }));

function opened(told) {
  const lines = [[told.opened.at, told.opened.by, told.opened.reason], ...told.notes.map((note) => [note.at, note.by, note.words])];
  if (told.decided) lines.push([told.decided.at, told.decided.by.join(" and "), `Decided: ${told.decided.decision} (${told.decided.reason})`]);
  return make("ul", { class: "dispute-lines" }, ...lines.map(([at, by, words]) => make("li", {}, make("small", {}, `${when(at)} · ${by}`), make("span", {}, words))));
}

export function drawDispute(place, story, { path, door, again }) {
  const redraw = async () => drawDispute(place, await again(), { path, door, again });
  const told = story.dispute;
  if (!told) {
    const able = ["visitor", "player", ...KEEPERS].includes(door);
    place.replaceChildren(make("p", { class: "panel-words" }, "Nothing is disputed. Opening a dispute freezes everything that this round rests on as evidence."),
      able ? form("", [area("What is wrong with it?", "reason")], "Open a dispute", async (said) => { await post(`${path}/dispute`, { id: mintId(), reason: said.reason }); await redraw(); }) : "");
    return;
  }
  const parts = [make("p", { class: "dispute-state" }, `The dispute is ${told.state}. ${told.evidence_as_frozen ? "The evidence is what was frozen when it was opened." : "THE EVIDENCE IS NOT WHAT WAS FROZEN."}`), opened(told)];
  if (KEEPERS.includes(door) && !told.decided) {
    parts.push(form("", [area("A note", "words")], "Add the note", async (said) => { await post(`${path}/dispute/notes`, { id: mintId(), words: said.words }); await redraw(); }),
      form("", [area("Decision", "decision"), area("Reason", "reason")], "Decide, with a second person", async (said) => {
        const second = await signature("A dispute’s decision takes two people.");
        await post(`${path}/dispute/decision`, { id: mintId(), ...said, ...(second ? { second } : {}) });
        await redraw();
      }));
  }
  place.replaceChildren(...parts);
}
