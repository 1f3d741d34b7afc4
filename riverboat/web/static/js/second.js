/* What takes two people: the second one signs here, with name and password, and gets no session. */
import { ask, mintId, post, sentence, tablePath } from "./ask.js";
import { byId } from "./draw.js";

/** Ask somebody else to sign; null where nobody does. */
export function signature(words) {
  const sheet = byId("second");
  const form = byId("second-form");
  form.reset();
  byId("second-words").textContent = words;
  sheet.returnValue = "cancel";
  sheet.showModal();
  return new Promise((answer) => {
    sheet.addEventListener("close", () => {
      const signed = sheet.returnValue === "sign" ? { name: byId("second-name").value, password: byId("second-password").value } : null;
      form.reset();
      answer(signed);
    }, { once: true });
  });
}

/** An action at a table; where the house says that it takes two people, somebody else signs for it.
    Whether it was done: not, where nobody signs.
    @param {string} table @param {any} action */
export async function askOfTwo(table, action) {
  try { await ask(table, action); return true; } catch (problem) {
    if (problem.code !== "second.missing") throw problem;
    const second = await signature(sentence(problem.message));
    if (second) await post(`${tablePath(table)}/commands`, { id: mintId(), action, second });
    return Boolean(second);
  }
}
