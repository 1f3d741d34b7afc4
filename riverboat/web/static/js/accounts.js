/* Accounts: made, given a new password, closed; a password is shown once and kept nowhere. Who signs for
   money is made by two, and approved by somebody else. */
import { get, post, sentence, tellRefusal } from "./ask.js";
import { byId, make, say } from "./draw.js";
import { suggested } from "./suggesting.js";
import { when } from "./when.js";

const me = byId("accounts").dataset.name;
/**
 * @template {"password" | "close"} What
 * @param {string} name
 * @param {What} what
 * @returns {`/api/accounts/${string}/${What}`}
 */
const path = (name, what) => `/api/accounts/${encodeURIComponent(name)}/${what}`;
const STATES = { closed: "closed", "must-change": "must change the password", open: "signs in", signs: "signs for money" };
const SIGNS = ["supervisor", "manager", "administrator"];
const LOOK_AGAIN = 5000;
let picked = null;
let last = "";
/** @type {Floor.Account[]} */
let known = [];

/** @param {Floor.Account} one */
const stateOf = (one) => (one.closed ? "closed" : one.must_change ? "must-change" : !one.signs ? "open" : one.counts ? "signs" : "waits");

/** @param {Floor.Account} one */
const stateWords = (one) => STATES[stateOf(one)] ?? `signs for money from ${when(one.counts_from)}, or once approved`;

/** Whether you may say that this is who they say: not where you made the account or the password.
    @param {Floor.Account} one */
const mayApprove = (one) => stateOf(one) === "waits" && ![one.name, ...one.makers].includes(me) && known.some((other) => other.name === me && other.counts);

/** @param {string} words @param {Floor.Account} one @param {any} open */
function button(words, one, open) {
  return make("button", { class: "button", type: "button", "aria-haspopup": "dialog", "aria-label": `${words}: ${one.name}`, onclick: () => open(one) }, words);
}

/** @param {Floor.Account} one */
function line(one) {
  const own = one.name === me;
  return make("li", { "data-name": one.name, "data-state": stateOf(one) },
    make("span", { class: "account-name" }, own ? `${one.name} (you)` : one.name), make("span", { class: "account-door" }, one.door), make("span", { class: "account-state" }, stateWords(one)),
    make("span", { class: "account-do" }, mayApprove(one) ? button("Approve", one, askApproval) : "", own ? make("a", { class: "button as-button", href: "/sign-in" }, "Your password") : button(one.closed ? "Open again" : "New password", one, askPassword), own || one.closed ? "" : button("Close", one, askClose)));
}

/** Drawn anew only where something is new, so that nobody loses their place in the list.
    @param {Floor.AccountList} given */
function draw({ accounts }) {
  const mark = JSON.stringify(accounts);
  if (mark === last) return;
  last = mark;
  known = accounts;
  showSecond();
  const open = accounts.filter((one) => !one.closed);
  const waiting = open.filter((one) => one.must_change).length;
  const closed = accounts.length - open.length;
  say(byId("account-count"), `${open.length} ${open.length === 1 ? "account is" : "accounts are"} open${waiting ? `, ${waiting} with a password still to be changed` : ""}${closed ? `; ${closed} ${closed === 1 ? "is" : "are"} closed` : ""}.`);
  const list = byId("account-list");
  const at = list.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  list.replaceChildren(...[...open, ...accounts.filter((one) => one.closed)].map(line));
  if (at) [...list.querySelectorAll("button")].find((one) => one.getAttribute("aria-label") === at)?.focus();
}

/** Who signs for money is made by two people; by one alone where nobody else counts yet. */
function showSecond() {
  const signs = SIGNS.includes(String(new FormData(byId("new-account")).get("door")));
  const others = known.filter((one) => one.counts && one.name !== me);
  const place = byId("new-second");
  place.hidden = !signs;
  place.querySelector(".fields").hidden = !others.length;
  for (const one of place.querySelectorAll("input")) { one.required = signs && others.length > 0; one.disabled = !one.required; }
  say(byId("new-second-words"), others.length ? `This account signs for money, so two people make it. Beside you signs one of: ${others.map((one) => one.name).join(", ")}.`
    : "Nobody else here signs for money yet: you make this account alone, and the record says so. It counts as a second person after a waiting time, or once somebody else approves it.");
}

/** What others do to accounts, and that somebody has changed a password, shows by itself. */
const again = async () => { if (!document.hidden) draw(await get("/api/accounts")); };

/** The one time that a password is shown, to be handed over. */
function showGiven(title, name, password) {
  say(byId("given-title"), title);
  byId("given-password").textContent = password;
  say(byId("given-words"), `Hand it to ${name} now: it is shown this once. ${name} chooses another at the first sign-in.`);
  say(byId("copy"), "Copy");
  byId("given").hidden = false;
  byId("given").focus();
}

function hideGiven() {
  byId("given").hidden = true;
  byId("given-password").textContent = "";
}

/** Sends what a form says; what is refused is told in the form. */
function onSend(form, work) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const words = form.querySelector(".form-words");
    const go = form.querySelector("button:not([type])");
    words.textContent = "";
    go.disabled = true;
    try { await work(Object.fromEntries(new FormData(form))); } catch (problem) { words.textContent = sentence(problem.message); } finally { go.disabled = false; }
  });
}

/** @param {any} sheet @param {any} form @param {Floor.Account} one */
function openSheet(sheet, form, one) {
  picked = one;
  form.reset();
  form.querySelector(".form-words").textContent = "";
  hideGiven();
  sheet.showModal();
}

/** @param {Floor.Account} one */
function askPassword(one) {
  say(byId("password-title"), one.closed ? `Open the account of ${one.name} again` : `A new password for ${one.name}`);
  say(byId("password-words"), one.closed ? `${one.name} signs in again with the password that you give here, and chooses another at once.` : `The old one is worth nothing any more, every session of ${one.name} ends, and the new one is changed at the next sign-in.`);
  openSheet(byId("password-sheet"), byId("new-password"), one);
  byId("next-password").value = suggested();
}

/** @param {Floor.Account} one */
function askApproval(one) {
  say(byId("approve-title"), `Approve ${one.name}`);
  say(byId("approve-words"), `${one.makers.join(" and ")} made this account or gave its password. You say that ${one.name} is who they say, and has a password that nobody else knows: from now on ${one.name} counts as one of two people.`);
  openSheet(byId("approve-sheet"), byId("approve-signer"), one);
}

/** @param {Floor.Account} one */
function askClose(one) {
  say(byId("close-title"), `Close the account of ${one.name}`);
  say(byId("close-words"), `${one.name} is signed out at once and cannot sign in any more. What ${one.name} has done stays on record. A new password opens the account again.`);
  openSheet(byId("close-sheet"), byId("close-account"), one);
}

onSend(byId("new-account"), async (said) => {
  hideGiven();
  const { "second-name": second, "second-password": signed, ...asked } = said;
  draw(await post("/api/accounts", second ? { ...asked, second: { name: second, password: signed } } : asked));
  showGiven(`${said.name.trim()} can sign in`, said.name.trim(), said.password);
  byId("new-account").reset();
  showSecond();
  byId("first-password").value = suggested();
});
byId("new-account").addEventListener("change", showSecond);
onSend(byId("approve-signer"), async () => {
  await post(`/api/signers/${encodeURIComponent(picked.name)}/approval`);
  byId("approve-sheet").close();
  await again();
});
onSend(byId("new-password"), async ({ password }) => {
  draw(await post(path(picked.name, "password"), { password }));
  byId("password-sheet").close();
  showGiven(`A new password for ${picked.name}`, picked.name, password);
});
onSend(byId("close-account"), async () => {
  draw(await post(path(picked.name, "close")));
  byId("close-sheet").close();
});

for (const one of document.querySelectorAll("[data-suggest]")) one.addEventListener("click", () => { byId(one.dataset.suggest).value = suggested(); });
for (const one of document.querySelectorAll("[data-close]")) one.addEventListener("click", () => one.closest("dialog").close());
byId("copy").addEventListener("click", async () => {
  try { await navigator.clipboard.writeText(byId("given-password").textContent); say(byId("copy"), "Copied"); } catch { getSelection().selectAllChildren(byId("given-password")); say(byId("copy"), "Selected: copy it"); }
});
byId("first-password").value = suggested();
again().catch(tellRefusal);
setInterval(() => again().catch(() => {}), LOOK_AGAIN);
window.addEventListener("focus", () => again().catch(() => {}));
document.addEventListener("visibilitychange", () => again().catch(() => {}));
