/* An order of the house: what will happen is said first, a reason is given, a second person signs. */
import { mintId, sentence } from "./ask.js";
import { clauseList } from "./clauses.js";
import { byId, make, say } from "./draw.js";

/** A field of an order; all of them must be filled in. */
export function field(words, name, more = {}) {
  return make("label", {}, words, make("input", { name, required: true, autocomplete: "off", maxlength: 200, ...more }));
}

export function choice(words, name, options) {
  return make("label", {}, words, make("select", { name, required: true }, ...options.map(([value, text]) => make("option", { value }, text))));
}

function signing(program) {
  const needed = { required: !program };
  const words = program ? "Only demo tables play here: left empty, the computer signs, and the record says so." : "Somebody else of the house, with their own password; it gives them no session here.";
  return make("fieldset", { class: "second-signs" }, make("legend", {}, "The second person"), make("p", { class: "panel-words" }, words),
    make("div", { class: "fields" }, field("Name", "second-name", { ...needed, maxlength: 60, spellcheck: "false", autocapitalize: "none" }), field("Password", "second-password", { ...needed, type: "password", autocomplete: "new-password" })));
}

function told(problem) {
  return [make("p", {}, sentence(problem.message)), clauseList(problem.cites)].filter(Boolean);
}

function reader(form) {
  const { "second-name": name, "second-password": password, ...said } = Object.fromEntries(new FormData(form));
  return { said, second: name ? { second: { name, password } } : {} };
}

/**
 * Opens the sheet. `tells` makes the sentence of what will happen from what is filled in; `second` is
 * "none", "signs" or "program" (where a program may sign); `send` gets what was said, the signature
 * and a new id. What is refused is told in the sheet, and nothing that was typed is lost by it.
 */
export function openOrder({ title, tells, fields = [], second = "none", button, danger = false, send, done }) {
  const sheet = byId("order");
  const words = make("p", { class: "order-tells", role: "status" });
  const refused = make("div", { class: "order-refused", role: "alert" });
  const go = make("button", { class: `button ${danger ? "danger" : "primary"}` }, button);
  const form = make("form", { autocomplete: "off" }, make("h2", { id: "order-title" }, title), words, make("div", { class: "fields" }, ...fields), second === "none" ? null : signing(second === "program"), refused,
    make("div", { class: "sheet-buttons" }, go, make("button", { class: "button", type: "button", onclick: () => sheet.close() }, "Cancel")));
  const tell = () => say(words, tells(reader(form).said));
  form.addEventListener("input", tell);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const read = reader(form);
    const happens = words.textContent;
    refused.replaceChildren();
    go.disabled = true;
    try {
      await send({ id: mintId(), ...read });
      sheet.close();
      await done(`Done: ${happens}`);
    } catch (problem) {
      refused.replaceChildren(...told(problem));
      if (form.elements["second-password"]) form.elements["second-password"].value = "";
    } finally { go.disabled = false; }
  });
  tell();
  sheet.replaceChildren(form);
  sheet.showModal();
}
