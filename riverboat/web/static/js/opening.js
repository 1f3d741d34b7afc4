/* Opening a table: a rulebook, its side bets and options, and what the house keeps of the choice. */
import { get, mintId, post, sentence } from "./ask.js";
import { byId, make } from "./draw.js";
import { drawEdges } from "./edges.js";
import { dollars } from "./money.js";

const UNASKED = ["meter_link", "progressive_wager"];
const USUAL = ["minimum", "maximum", "seats"];
const KEEPERS = ["supervisor", "manager", "administrator"];
const PAUSE = 350;
const words = (name) => name.replaceAll("_", " ");

const chosen = { book: null, about: null, id: "" };
const kept = new Map();
let asking = 0;
let isVisitor = false;
let floor = { tables: () => [], meters: () => [] };

/** The dialog, for whoever `me` is; `there` tells which tables and meters there are.
    @param {Floor.Me} me @param {any} there */
export function wireOpening(me, there) {
  floor = there;
  isVisitor = me.door === "visitor";
  byId("opening-form").elements.name.closest(".field").hidden = isVisitor;
  const dialog = byId("opening");
  const form = byId("opening-form");
  byId("opening-real").hidden = !KEEPERS.includes(me.door);
  byId("open-table").addEventListener("click", async () => {
    dialog.showModal();
    if (!chosen.book) await listBooks().catch(tell);
  });
  byId("opening-close").addEventListener("click", () => dialog.close());
  form.elements.real.addEventListener("change", whoRuns);
  form.addEventListener("input", later);
  for (const place of ["opening-usual", "opening-options"]) byId(place).addEventListener("input", meterChoice);
  form.addEventListener("submit", (event) => { event.preventDefault(); open().catch(tell); });
  if (location.hash === "#open") byId("open-table").click();
}

/* Where people run it no program sits down, two people sign, and its meter is the house's. */
function whoRuns() {
  const { real, bots } = byId("opening-form").elements;
  byId("opening-second").hidden = !real.checked;
  bots.disabled = real.checked;
  bots.closest(".field").hidden = real.checked;
  meterChoice();
}

async function listBooks() {
  const books = await get("/lobby/choices");
  byId("opening-books").replaceChildren(...books.map((book, place) => make("label", { class: "book" },
    make("input", { type: "radio", name: "rulebook", value: book.id, checked: place === 0, onchange: () => choose(book).catch(tell) }),
    make("span", {}, make("b", {}, book.title), make("small", {}, book.status)))));
  await choose(books[0]);
}

/** @param {Floor.OfferedBook} book */
async function choose(book) {
  chosen.book = book;
  chosen.id = mintId();
  forgetEdges();
  if (!kept.has(book.id)) kept.set(book.id, await get(`/lobby/choices/${book.id}`));
  if (chosen.book !== book) return;
  chosen.about = kept.get(book.id);
  const { offers, options } = chosen.about;
  byId("opening-bets").replaceChildren(...offers.map(betChoice));
  if (!offers.length) byId("opening-bets").append(make("p", { class: "quiet-words" }, "This rulebook has none."));
  const own = (name) => options[name] && field(name, options[name]);
  byId("opening-usual").replaceChildren(...USUAL.map(own).filter(Boolean));
  const others = Object.entries(options).filter(([name, about]) => ![...USUAL, ...UNASKED].includes(name) && !about.fixed);
  byId("opening-options").replaceChildren(...others.map(([name, about]) => field(name, about, true)));
  meterChoice();
  suggestName();
  later();
}

/* What another rulebook's table keeps says nothing about this one. */
function forgetEdges() {
  byId("edges").replaceChildren();
  byId("problems").replaceChildren();
}

function suggestName() {
  const input = byId("opening-form").elements.name;
  if (input.value && input.value !== input.dataset.suggested) return;
  const there = new Set(floor.tables().map((one) => one.table));
  let number = there.size + 1;
  while (there.has(`Table ${number}`)) number += 1;
  input.value = `Table ${number}`;
  input.dataset.suggested = input.value;
}

/* A side bet is left out, or played under one of its pay tables. */
/** @param {Floor.OfferedBet} offer */
function betChoice(offer) {
  const rows = offer.bet === "progressive"
    ? chosen.about.wagers.map((one) => [JSON.stringify({ progressive: one.paytable, progressive_wager: one.wager }), `${one.paytable}, $${Number(one.wager)} bet`])
    : offer.paytables.map((name) => [JSON.stringify({ [offer.bet]: name }), name]);
  return make("label", { class: "field bet-choice" }, make("span", {}, offer.label),
    make("select", { "data-bet": offer.bet, onchange: offer.bet === "progressive" ? meterChoice : () => {} }, make("option", { value: "{}" }, "not offered"), ...rows.map(([value, text], place) => make("option", { value, selected: place === 0 }, text))));
}

const cents = (text) => Math.round(Number(text) * 100);

/* What the table would play for: as its schedule says, or as was chosen. */
/** @param {Floor.OfferedWager} one */
function terms(one) {
  const own = (name, fallback) => cents(document.querySelector(`[data-option="${name}"]`)?.value || fallback);
  return { wager_cents: cents(one.wager), seed_cents: own("seed", one.seed), rate_bp: own("rate", one.rate), reserve_bp: own("reserve_rate", 0) };
}

/* A table plays for a meter of its own, or for one on this floor with its own terms that tables of
   its rulebook and of its kind play for: programs and people never for the same one. */
export function meterChoice() {
  if (!chosen.about) return;
  const before = byId("opening-meter")?.querySelector("select[data-picked]")?.value;
  byId("opening-meter")?.remove();
  const select = document.querySelector('[data-bet="progressive"]');
  const { progressive_wager: wager } = JSON.parse(select?.value ?? "{}");
  if (!wager) return;
  const one = chosen.about.wagers[select.selectedIndex - 1];
  const wanted = terms(one);
  const demo = !byId("opening-form").elements.real.checked;
  const alike = new Set(floor.tables().filter((table) => table.rulebook === chosen.book.id && table.demo === demo).map((table) => table.link));
  const fits = isVisitor ? [] : floor.meters().filter((sign) => alike.has(sign.link) && sign.status !== "ended" && Object.entries(wanted).every(([name, value]) => sign[name] === value));
  const own = `${one.paytable} ${chosen.id.slice(0, 4)}`;
  byId("opening-bets").append(make("label", { class: "field", id: "opening-meter" }, make("span", {}, "meter"),
    make("select", { "data-bet": "meter", onchange: (event) => { event.currentTarget.dataset.picked = "yes"; } }, ...fits.map((sign) => make("option", { value: JSON.stringify({ meter_link: sign.link }) }, `${sign.link}, with ${(sign.tables ?? []).join(", ")}`)), make("option", { value: JSON.stringify({ meter_link: own }) }, `its own, from ${dollars(wanted.seed_cents)}`))));
  const meter = byId("opening-meter").querySelector("select");
  if (![...meter.options].some((option) => option.value === before)) return;
  meter.value = before;
  meter.dataset.picked = "yes";
}

/** @param {string} name @param {Floor.ShownOption} about @param {any} [explained] */
function field(name, about, explained = false) {
  return make("label", { class: "field" }, make("span", {}, words(name)), control(name, about), explained ? make("small", {}, about.meaning) : null);
}

/** @param {string} name @param {Floor.ShownOption} about */
function control(name, about) {
  const fallback = about.default === null || about.default === undefined ? "" : String(about.default);
  const shared = { "data-option": name, "data-kind": about.kind, "data-default": fallback, disabled: about.fixed };
  const listed = about.kind === "flag" ? ["true", "false"] : about.choices;
  if (listed) {
    const shown = listed.map((value) => make("option", { value, selected: String(value) === fallback }, about.kind === "flag" ? (value === "true" ? "yes" : "no") : words(String(value))));
    return make("select", shared, ...(fallback ? [] : [make("option", { value: "" }, "as the schedule says")]), ...shown);
  }
  if (about.kind === "integer") return make("input", { ...shared, type: "number", min: about.minimum, max: about.maximum, value: fallback });
  const hint = about.none_allowed ? "no limit" : about.kind === "money" ? "dollars" : "as the schedule says";
  return make("input", { ...shared, value: fallback, placeholder: hint, inputmode: about.kind === "money" ? "decimal" : "text", maxlength: 60, autocomplete: "off" });
}

/** Only what differs from the rulebook's own defaults is chosen. */
function choices() {
  const found = {};
  for (const select of document.querySelectorAll("[data-bet]")) Object.assign(found, JSON.parse(select.value));
  for (const input of document.querySelectorAll("[data-option]")) {
    const { option, kind, default: fallback } = input.dataset;
    const value = input.value.trim();
    if (value === "" || value === fallback || input.disabled) continue;
    found[option] = kind === "flag" ? value === "true" : kind === "integer" ? Number(value) : value;
  }
  return found;
}

function later() {
  clearTimeout(asking);
  byId("edges-state").textContent = "Working it out, exactly…";
  byId("edges").setAttribute("aria-busy", "true");
  byId("opening-words").textContent = "";
  asking = setTimeout(() => preview().catch(tell), PAUSE);
}

async function preview() {
  const asked = chosen.book.id;
  const said = await post("/api/tables/preview", { rulebook: asked, choices: choices() });
  if (asked !== chosen.book.id) return;
  const labels = { base: chosen.about.base, ...Object.fromEntries(chosen.about.offers.map((offer) => [offer.bet, offer.label])) };
  byId("edges-state").textContent = said.problems.length ? "This table cannot be opened so:" : "Of each dollar of ante, in the long run, by the best play:";
  drawEdges(byId("edges"), said.edges, labels);
  byId("edges").setAttribute("aria-busy", "false");
  byId("problems").replaceChildren(...[...said.problems, ...said.notices].map((one) => make("li", {}, sentence(one.words), make("small", {}, one.cites.join(", ")))));
  byId("opening-go").disabled = said.problems.length > 0;
}

async function open() {
  const form = byId("opening-form");
  const { name, bots, real, physical, second, second_password: password } = form.elements;
  const asked = { id: chosen.id, name: name.value, rulebook: chosen.book.id, choices: choices(), demo: !real.checked, bots: Number(bots.value) };
  if (real.checked) asked.physical = physical.checked;
  if (real.checked && second.value) asked.second = { name: second.value, password: password.value };
  byId("opening-go").disabled = true;
  byId("opening-words").textContent = "Opening…";
  try {
    const { table } = await post("/api/tables", asked);
    location.assign(real.checked ? `/supervisor?table=${encodeURIComponent(table)}` : `/tables/${encodeURIComponent(table)}`);
  } finally {
    byId("opening-go").disabled = false;
  }
}

function tell(problem) {
  chosen.id = mintId();
  byId("opening-words").textContent = sentence(problem.message);
  if (!byId("edges").children.length) byId("edges-state").textContent = "";
}
