/* What one can deal: every game that stands on the floor, at a table of one's own. */
import { get, mintId, post, tellRefusal } from "./ask.js";
import { byId, make, say, titled } from "./draw.js";
import { enter } from "./entering.js";


async function learn(rulebook, button) {
  button.disabled = true;
  try {
    const opened = await post("/api/lessons", { id: mintId(), rulebook, physical: byId("real-deck").checked });
    location.assign(`/dealer/${encodeURIComponent(opened.table)}`);
  } catch (problem) {
    button.disabled = false;
    tellRefusal(problem);
  }
}

/** @param {Floor.TableLine} line */
function lesson(line) {
  const bets = line.side_bets.map((bet) => bet.replaceAll("_", " ")).join(", ");
  const button = make("button", { class: "button primary", type: "button" }, "Deal this");
  button.addEventListener("click", () => learn(line.rulebook, button));
  return make("li", { class: "lesson" }, make("h3", {}, titled(line.game)), make("p", { class: "lesson-book" }, line.title), make("p", { class: "lesson-bets" }, bets ? `with ${bets}` : "the base game alone"), button);
}

/** @param {Floor.TableLine} line */
function standing(line) {
  return make("li", { class: "lesson" }, make("h3", {}, line.table), make("p", { class: "lesson-book" }, line.title ?? line.state), make("p", { class: "lesson-bets" }, `${line.demo ? "demo table" : line.test ? "TEST table" : "live table"} · ${line.seated ?? 0} seated · round ${line.round ?? 0}`),
    make("a", { class: "button", href: `/dealer/${encodeURIComponent(line.table)}` }, "Open the console"));
}

async function open() {
  const me = await enter();
  const { tables } = await get("/api/tables");
  const books = new Map(tables.filter((line) => line.rulebook).map((line) => [line.rulebook, line]));
  const reads = me.door === "auditor";
  byId("learn-part").hidden = reads;
  if (reads) say(byId("deal-words"), "Every step of the procedure, in its own words and by its clause, as it is dealt.");
  byId("lessons").replaceChildren(...[...books.values()].map(lesson));
  if (me.door === "visitor" || me.door === "player") return;
  byId("floor-part").hidden = false;
  byId("floor-tables").replaceChildren(...tables.map(standing));
}

open().catch(tellRefusal);
