/* The supervisor's desk: what waits comes first, then the table in hand. */
import { ask, get, post, tellRefusal } from "./ask.js";
import { drawBench, freshBench } from "./bench.js";
import { clauseList, plain } from "./clauses.js";
import { byId, keyed, make, say, settle } from "./draw.js";
import { look } from "./live.js";
import { dollars } from "./money.js";
import { buttonWords } from "./next_step.js";

const LOOK_AGAIN = 2500;
const KINDS = { interrupted: "Interrupted round", award: "Award", dispute: "Dispute", account: "Account", overdue: "Overdue", step: "Waits for the floor" };
const desk = byId("desk");
const reads = desk.dataset.door === "auditor";
let table = new URLSearchParams(location.search).get("table") ?? "";
let leave = null;

/* Where the table in hand stands below the list, whoever picks one is led to it. */
function lead() {
  const title = byId("bench").querySelector(".bench-title");
  if (!title) return false;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
  byId("bench").scrollIntoView({ block: "start" });
  return true;
}

/* A table that was set up and never opened says what comes next. */
/** @param {Floor.TableFrame} frame */
function sayNext(frame) {
  const head = byId("bench").querySelector(".bench-head");
  const next = reads ? "" : " Next: count the tray and open its gaming day, under “The floor’s orders”. Then open the table and assign a dealer, who goes on at the dealer’s console.";
  const words = frame.rulebook && !frame.date && !frame.round_number ? `${frame.table} is set up, and not open yet.${next}` : "";
  const place = head.querySelector(".bench-next") ?? head.appendChild(make("p", { class: "bench-next" }));
  say(place, words);
  place.hidden = !words;
}

function pick(name, { led = false } = {}) {
  if (!name) return;
  let waits = led;
  table = name;
  history.replaceState(null, "", `?table=${encodeURIComponent(name)}`);
  leave?.();
  byId("bench").replaceChildren();
  get(`/api/tables/${encodeURIComponent(name)}/felt`).then((printed) => {
    freshBench(byId("bench"));
    leave = look([`table/${name}`], (frame) => {
      if (frame.kind !== "table" || frame.table !== table) return;
      drawBench(byId("bench"), frame, { printed, reads, again });
      sayNext(frame);
      if (waits) waits = !lead();
    });
  }).catch(tellRefusal);
  for (const item of document.querySelectorAll("[data-table]")) item.setAttribute("aria-current", String(item.dataset.table === name));
}

/** @param {Floor.Work} one */
function work(one) {
  const parts = [make("span", { class: "work-kind" }, KINDS[one.kind]), make("b", {}, one.words), make("span", { class: "work-where" }, `${one.table}${one.round ? ` · round ${one.round}` : ""}${one.cents ? ` · ${dollars(one.cents)}` : ""}${one.demo ? " · demo" : ""}`)];
  const item = make("li", { class: "work-one", "data-kind": one.kind });
  if (one.kind === "dispute") item.append(make("a", { class: "work-open", href: `/rounds/${encodeURIComponent(one.table)}/${one.round}` }, ...parts));
  else if (one.account) item.append(make("span", { class: "work-open" }, ...parts), make("button", { class: "button", type: "button", "aria-label": `Approve ${one.account}`, onclick: () => approve(one) }, "Approve"));
  else item.append(make("button", { class: "work-open", type: "button", "data-table": one.table, onclick: () => pick(one.table, { led: true }) }, ...parts));
  if (one.do && !reads && !one.optional && one.kind !== "interrupted") item.append(make("button", { class: "button", type: "button", onclick: () => doIt(one) }, buttonWords(one)));
  const cites = clauseList(one.cites);
  if (cites) item.append(cites);
  return item;
}

/** You say that somebody is who they say; asked once more, for it is your word.
    @param {Floor.Work} one */
async function approve(one) {
  byId("approve-words").textContent = `You say that ${one.account} is who they say, and has a password that nobody else knows: from now on ${one.account} counts as one of two people.`;
  const sheet = byId("approve");
  sheet.returnValue = "";
  sheet.onclose = async () => {
    if (sheet.returnValue !== "approve") return;
    try { await post(`/api/signers/${encodeURIComponent(one.account)}/approval`); again(); } catch (problem) { tellRefusal(problem); }
  };
  sheet.showModal();
}

/** @param {Floor.Work} one */
async function doIt(one) {
  try { await ask(one.table, one.do); again(); } catch (problem) { tellRefusal(problem); }
}

let last = "";

async function again() {
  try {
    const told = await get("/api/worklist");
    const list = told.work.filter((one) => !one.optional).sort((one, other) => Number(one.demo) - Number(other.demo));
    const mark = JSON.stringify(list);
    if (mark === last) return;
    last = mark;
    const people = list.filter((one) => one.account).length;
    const live = list.filter((one) => !one.demo && !one.account).length;
    say(byId("work-words"), list.length ? `${live} at live tables, ${list.length - live - people} at demo and test tables${people ? `, ${people} about accounts` : ""}.` : "Nothing to do. Every table is in its dealer’s hands.");
    byId("work").replaceChildren(...list.slice(0, 40).map(work));
    if (!table && list.some((one) => one.table)) pick(list.find((one) => one.table).table);
  } catch (problem) { tellRefusal(problem); }
}

/** @param {Floor.TableLine[]} lines */
function drawTables(lines) {
  const list = byId("tables");
  for (const line of lines) {
    const item = keyed(list, line.table, () => make("li", {}, make("button", { class: "table-one", type: "button", "data-table": line.table, onclick: () => pick(line.table, { led: true }) }, make("b", {}, line.table), make("span"))));
    say(item.querySelector("span"), line.rulebook ? `${line.open ? "open" : line.round ? "closed" : "not open yet"} · ${line.seated} of ${line.seats} seats · round ${line.round}${line.demo ? " · demo" : ""}${line.test ? " · TEST" : ""}` : plain(line.state));
  }
  settle(list, lines.map((line) => line.table));
  if (!table && lines.length) pick(lines[0].table);
}

look(["lobby"], (frame) => { if (frame.kind === "lobby") drawTables(frame.tables); });
again();
setInterval(again, LOOK_AGAIN);
if (table) pick(table);
