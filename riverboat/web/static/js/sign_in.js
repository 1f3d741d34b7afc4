/* Signing in and out, and a password of one's own at the first sign-in. */
import { post, sentence } from "./ask.js";
import { byId } from "./draw.js";

const forms = { signIn: byId("sign-in"), change: byId("change"), inside: byId("inside") };
let given = "";

function show(which) {
  for (const form of Object.values(forms)) form.hidden = form !== forms[which];
  forms[which].querySelector("input")?.focus();
}

/** Only a page of this floor; never an address that somebody else wrote. */
function next() {
  const wanted = new URLSearchParams(location.search).get("next") ?? "";
  return /^\/[a-z]/i.test(wanted) && !wanted.startsWith("/sign-in") ? wanted : "/lobby";
}

async function sending(form, work) {
  const words = form.querySelector(".form-words");
  const button = form.querySelector("button");
  words.textContent = "";
  button.disabled = true;
  try {
    await work(Object.fromEntries(new FormData(form)));
  } catch (problem) {
    words.textContent = sentence(problem.message);
  } finally {
    button.disabled = false;
  }
}

forms.signIn.addEventListener("submit", (event) => {
  event.preventDefault();
  sending(forms.signIn, async ({ name, password }) => {
    const me = await post("/api/sign-in", { name, password });
    if (!me.must_change) return location.assign(next());
    given = password;
    mustChange();
  });
});

forms.change.addEventListener("submit", (event) => {
  event.preventDefault();
  sending(forms.change, async (typed) => {
    if (typed.new !== typed.again) throw new Error("the two new passwords differ");
    await post("/api/password", { old: typed.old || given, new: typed.new });
    location.assign(next());
  });
});

/** The password that was just typed need not be typed again. */
function mustChange() {
  const old = forms.change.elements.old;
  old.value = given;
  old.closest("label").hidden = Boolean(given);
  show("change");
}

byId("change-open").addEventListener("click", () => {
  byId("change-words").textContent = "Every session of yours ends, and this one begins anew.";
  show("change");
});
byId("sign-out").addEventListener("click", async () => {
  await post("/api/sign-out");
  location.assign("/sign-in");
});

if ("mustChange" in byId("door").dataset) mustChange();
