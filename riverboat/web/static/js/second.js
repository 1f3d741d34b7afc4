/* What takes two people: the second one signs here, with name and password, and gets no session. */
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
