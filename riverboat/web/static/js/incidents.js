/* What goes wrong: one button for each irregularity that the rulebook knows now. */
import { get } from "./ask.js";
import { clauseList } from "./clauses.js";
import { byId, make } from "./draw.js";

/** One of these; where `ask` is set, somebody has to say which. */
function choice(name, words, options, ask = false) {
  return make("fieldset", { class: "options" }, make("legend", {}, words), ...options.map(([value, text], place) =>
    make("label", {}, make("input", { type: "radio", name, value, required: ask, checked: !ask && place === 0 }), make("span", {}, text))));
}

function read(form, name) {
  return form.querySelector(`input[name="${name}"]:checked`)?.value ?? "";
}

const books = new Map();

/** The rulebook's clauses, asked for when somebody first wants to read one of these. */
async function clausesOf(rulebook) {
  if (!books.has(rulebook)) books.set(rulebook, get(`/api/rulebooks/${encodeURIComponent(rulebook)}`).then((book) => Object.fromEntries(book.clauses.map((clause) => [clause.id, clause]))).catch(() => ({})));
  return books.get(rulebook);
}

/** @param {Floor.Reportable} one @param {Floor.TableFrame} frame @param {any} report */
function openIncident(one, frame, report) {
  const cites = make("div", {}, clauseList(one.cites, frame.console.clauses));
  clausesOf(frame.rulebook).then((clauses) => cites.replaceChildren(clauseList(one.cites, clauses) ?? ""));
  const sheet = byId("incident");
  const nowhere = one.at.length === 1 && !one.at[0].seat && !one.at[0].place;
  const form = make("form", { method: "dialog" },
    make("h2", { id: "incident-title" }, one.title),
    make("p", { class: "follows" }, `By this rulebook: ${one.then}.`),
    nowhere ? null : choice("at", "Where", one.where.map((words, number) => [number, words]), one.at.length > 1),
    ["deck_count", "face_up_cards", "wrong_card_count", "progressive_chip_mismatch"].includes(one.what)
      ? make("label", { class: "counted" }, "How many", make("input", { type: "number", name: "count", min: 0, max: 60, value: one.what === "face_up_cards" ? 2 : 0 })) : null,
    one.follows === "floor_decides" || one.follows === "decide_whether_misdealt" ? choice("decision", "The floor decides", [["", "as usual"], ["continue", "go on"], ["void", "void the round"]]) : null,
    cites,
    make("div", { class: "sheet-buttons" }, make("button", { class: "button danger", value: "report" }, "Report it"), make("button", { class: "button", value: "cancel", formnovalidate: true }, "Cancel")));
  sheet.replaceChildren(form);
  sheet.onclose = () => {
    if (sheet.returnValue !== "report") return;
    const at = one.at[Number(read(form, "at"))];
    report({ do: "incident", what: one.what, seat: at.seat, place: at.place, count: Number(form.querySelector('[name="count"]')?.value ?? 0), decision: read(form, "decision") });
  };
  sheet.returnValue = "";
  sheet.showModal();
}

/** @param {Floor.Trouble} one @param {any} report */
function openTrouble(one, report) {
  if (!one.reason) { report({ do: one.do, deck: one.deck }); return; }
  const sheet = byId("incident");
  const form = make("form", { method: "dialog" },
    make("h2", { id: "incident-title" }, one.words),
    make("label", { class: "reason" }, "Reason", make("input", { name: "reason", required: true, maxlength: 200, autocomplete: "off" })),
    make("div", { class: "sheet-buttons" }, make("button", { class: "button danger", value: "report" }, one.words), make("button", { class: "button", value: "cancel", formnovalidate: true }, "Cancel")));
  sheet.replaceChildren(form);
  sheet.onclose = () => {
    if (sheet.returnValue !== "report") return;
    const reason = form.querySelector('[name="reason"]').value;
    report(one.deck ? { do: one.do, deck: one.deck, reason } : { do: one.do, reason });
  };
  sheet.returnValue = "";
  sheet.showModal();
}

/** Draw the buttons; they stay while the same things can be reported.
    @param {Floor.TableFrame} frame @param {any} report */
export function drawIncidents(frame, report) {
  const place = byId("incidents");
  const told = frame.console;
  const mark = JSON.stringify([told?.incidents.map((one) => [one.what, one.at]), told?.trouble, told?.on_duty]);
  if (place.dataset.mark === mark) return;
  place.dataset.mark = mark;
  byId("incident-words").hidden = Boolean(told?.incidents.length || told?.trouble.length);
  const able = Boolean(told?.on_duty);
  const button = (words, small, press) => make("button", { class: "button trouble", type: "button", disabled: !able, onclick: press }, words, small ? make("small", {}, small) : null);
  place.replaceChildren(
    ...(told?.incidents ?? []).map((one) => button(one.title, one.then, () => openIncident(one, frame, report))),
    ...(told?.trouble ?? []).map((one) => button(one.words, "", () => openTrouble(one, report))));
}
