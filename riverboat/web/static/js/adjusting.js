/* A meter is adjusted by hand only with a code, a reason and a second person who signs. */
import { mintId, post, tellRefusal } from "./ask.js";
import { byId, make } from "./draw.js";
import { signature } from "./second.js";

const CODES = ["correction", "malfunction", "above_maximum", "undisplayed_prize", "seed_recovery", "dispute"];
const UNITS = 10_000;

const field = (words, name, more = {}) => make("label", {}, words, make("input", { name, required: true, autocomplete: "off", ...more }));

function fields(kind) {
  if (kind === "back") return [];
  if (kind === "out") return [field("Reason", "reason", { maxlength: 200 })];
  return [field("By how many dollars; below zero lowers it", "dollars", { type: "number", step: "0.01" }),
    make("label", {}, "Code", make("select", { name: "code" }, ...CODES.map((code) => make("option", { value: code }, code.replaceAll("_", " "))))), field("Reason", "reason", { maxlength: 200 })];
}

function action(kind, said) {
  if (kind === "back") return { do: "bring_link_back" };
  if (kind === "out") return { do: "take_link_out", reason: said.reason };
  return { do: "adjust_link", units: Math.round(Number(said.dollars) * 100) * UNITS, code: said.code, reason: said.reason };
}

const TITLES = { adjust: "Adjust the meter", out: "Take the meter out of service", back: "Bring the meter back" };

export function openAdjusting(book, kind, done) {
  const sheet = byId("adjusting");
  const form = make("form", {}, make("h2", { id: "adjusting-title" }, `${TITLES[kind]}: ${book.meter}`), make("div", { class: "fields" }, ...fields(kind)),
    make("div", { class: "sheet-buttons" }, make("button", { class: "button primary" }, kind === "adjust" ? "Two people sign" : "Do it"), make("button", { class: "button", type: "button", onclick: () => sheet.close() }, "Cancel")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const asked = action(kind, Object.fromEntries(new FormData(form)));
    sheet.close();
    const second = kind === "adjust" ? await signature(`Adjusting ${book.meter} takes two people. At a meter of demo tables alone, cancel lets their program sign.`) : null;
    try {
      await post(`/api/meters/${encodeURIComponent(book.meter)}/commands`, { id: mintId(), action: asked, ...(second ? { second } : {}) });
      done();
    } catch (problem) { tellRefusal(problem); }
  });
  sheet.replaceChildren(form);
  sheet.showModal();
}
