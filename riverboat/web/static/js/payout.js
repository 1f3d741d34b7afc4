/* The payout check: rulebook, cards, bets; the answer follows every tap. */
import { get, post } from "./ask.js";
import { cardPicker } from "./card_picker.js";
import { byId, make } from "./draw.js";
import { drawOwed, drawRefusal, drawWaiting } from "./owed.js";

const ANTES = ["5", "10", "15", "25"];
const PAUSE = 160;
const FOLD = "fold";
const NAMES = { cards: "Your cards", board: "Community cards", box: "Six card box", dealer: "Dealer’s cards" };

/** @type {Floor.AskedOfBook[]} */
const books = JSON.parse(byId("books").textContent);
const state = { book: books[0], ante: "10", streets: [], sides: {} };
const clauses = new Map();
let waiting = 0;
let asked = 0;

const picker = cardPicker(byId("grid"), byId("places"), later);

function choose(id) {
  state.book = books.find((one) => one.id === id) ?? books[0];
  state.streets = state.book.stages.map((stage) => String(stage.multiples[0]));
  state.sides = {};
  byId("book").value = state.book.id;
  byId("rulebook").textContent = state.book.title;
  byId("book-notice").textContent = state.book.notice;
  drawBets();
  layPlaces();
  later();
}

/* Cards are asked for only where they decide something. */
function layPlaces() {
  const { places } = state.book;
  const label = (name) => (name === "cards" && places.cards === 5 ? "Your five cards" : NAMES[name]);
  const isBoxBet = state.book.side_bets.some((offer) => offer.box && offer.bet in state.sides);
  const wanted = (name) => (name === "box" && !isBoxBet ? 0 : places[name]);
  picker.lay(Object.keys(NAMES).map((name) => ({ name, label: label(name), count: wanted(name) })));
}

function segment(title, name, values, value, set) {
  return make("fieldset", { class: "segment" }, make("legend", {}, title), make("div", { class: "segments" }, ...values.map(([key, text]) => make("label", {},
    make("input", { type: "radio", name, value: key, checked: key === value, onchange: () => { set(key); later(); } }), make("span", {}, text)))));
}

function drawBets() {
  const { stages, ante, side_bets: sides } = state.book;
  byId("ante-row").replaceChildren(
    segment(ante, "ante", ANTES.map((value) => [value, `$${value}`]), state.ante, (value) => { state.ante = value; byId("ante-own").value = value; }),
    make("label", { class: "field own-ante" }, make("span", {}, "or dollars"), make("input", { id: "ante-own", inputmode: "decimal", value: state.ante, maxlength: 12, autocomplete: "off", oninput: (event) => { state.ante = event.target.value.trim(); for (const one of document.getElementsByName("ante")) one.checked = one.value === state.ante; later(); } })));
  byId("streets").replaceChildren(...stages.map((stage, place) => segment(stage.label, `street-${place}`, [[FOLD, "Fold"], ...stage.multiples.map((n) => [String(n), `${n}×`])], state.streets[place], (value) => fold(place, value))));
  byId("sides").replaceChildren(...sides.map(sideBet));
}

/* After a fold nothing more is bet. */
function fold(place, value) {
  state.streets[place] = value;
  if (value !== FOLD) for (let n = 0; n < place; n += 1) if (state.streets[n] === FOLD) state.streets[n] = String(state.book.stages[n].multiples[0]);
  if (value === FOLD) for (let n = place + 1; n < state.streets.length; n += 1) state.streets[n] = FOLD;
  state.streets.forEach((key, n) => { for (const one of document.getElementsByName(`street-${n}`)) one.checked = one.value === key; });
}

/** A progressive bet is one of the printed wagers; any other side bet is an amount under a pay table.
    @param {Floor.AskedBet} offer */
function sideBet(offer) {
  /** @type {{ paytable: string, wager?: string }[]} */
  const own = offer.bet === "progressive" ? state.book.schedules : offer.paytables.map((paytable) => ({ paytable }));
  const input = (more) => make("input", { inputmode: "decimal", maxlength: 14, autocomplete: "off", oninput: () => read(), ...more });
  const amount = offer.bet === "progressive" ? null : input({ value: "5", "aria-label": `${offer.label}, dollars` });
  const meter = offer.bet === "progressive" ? input({ placeholder: "meter, dollars", "aria-label": "the meter, dollars" }) : null;
  const tables = make("select", { "aria-label": `${offer.label}, pay table`, hidden: own.length < 2, onchange: () => read() },
    ...own.map((one, n) => make("option", { value: n }, one.wager ? `$${Number(one.wager)}, ${one.paytable}` : one.paytable)));
  const more = make("span", { class: "side-more", hidden: true }, amount, tables, meter);
  const box = make("input", { type: "checkbox", onchange: () => { more.hidden = !box.checked; read(); layPlaces(); later(); } });
  const read = () => {
    const { paytable, wager } = own[Number(tables.value)];
    if (!box.checked) delete state.sides[offer.bet];
    else state.sides[offer.bet] = { table: paytable, amount: wager ?? amount.value.trim(), meter: meter?.value.trim() ?? "" };
    later();
  };
  return make("div", { class: "side" }, make("label", { class: "tick" }, box, make("span", {}, offer.label)), more);
}

function question() {
  const bets = state.streets.indexOf(FOLD) < 0 ? state.streets : state.streets.slice(0, state.streets.indexOf(FOLD));
  const sides = Object.entries(state.sides);
  const body = {
    rulebook: state.book.id, ante: state.ante, bets: bets.join(","),
    side_bets: Object.fromEntries(sides.map(([bet, one]) => [bet, one.amount])),
    table: sides.map(([bet, one]) => `${bet}=${one.table}`),
  };
  for (const name of Object.keys(state.book.places)) body[name] = picker.cards(name).join(" ");
  if (state.sides.progressive?.meter) body.meter = state.sides.progressive.meter.replaceAll(",", "");
  return body;
}

function later() {
  clearTimeout(waiting);
  const missing = picker.missing();
  byId("picking").textContent = missing ? `Tap the next card: ${missing.label.toLowerCase()}.` : "All cards are there. Tap one to change it.";
  waiting = setTimeout(ask, PAUSE);
}

async function ask() {
  const turn = (asked += 1);
  const folded = state.streets.includes(FOLD);
  if (picker.missing() && !folded) { drawWaiting(picker.missing()); return; }
  try {
    const said = await post("/api/settle", question());
    if (turn !== asked) return;
    if ("refused" in said) drawRefusal(said.refused, await known());
    else drawOwed(said, state.book, await known());
  } catch (problem) {
    if (turn === asked) drawRefusal({ words: problem.message.replaceAll(/--(\w+)/g, "$1"), cites: problem.cites ?? [] }, {});
  }
}

/** The clauses of the rulebook, fetched once. */
async function known() {
  const { id } = state.book;
  if (!clauses.has(id)) clauses.set(id, get(`/settle/${id}/clauses`).catch(() => ({})));
  return clauses.get(id);
}

byId("book").addEventListener("change", (event) => { history.replaceState(null, "", `?rulebook=${event.target.value}`); choose(event.target.value); });
addEventListener("riverboat-clear", () => picker.clear());
choose(new URLSearchParams(location.search).get("rulebook") ?? books[0].id);
