/* The floor from its entrance: every table and every meter, as they are now. */
import { get, tellRefusal } from "./ask.js";
import { byId, keyed, make, say, settle, svg, titled } from "./draw.js";
import { enter } from "./entering.js";
import { look } from "./live.js";
import { floorMeters, showMeters } from "./meter_plates.js";
import { dollars } from "./money.js";
import { meterChoice, wireOpening } from "./opening.js";

const SEAT_WAYS = 150;

const words = (name) => name.replaceAll("_", " ");

/** @param {Floor.TableLine} given */
function limits({ minimum_cents: least, maximum_cents: most }) {
  return most === null ? `${dollars(least)} and up` : `${dollars(least)} to ${dollars(most)}`;
}

/* The table from above: a half-moon of felt, a seat for each place along its rail. */
function halfMoon(seats, seated) {
  const places = Array.from({ length: seats }, (_, number) => {
    const turn = 90 + SEAT_WAYS / 2 - (SEAT_WAYS * number) / Math.max(1, seats - 1);
    const angle = (turn * Math.PI) / 180;
    const x = 100 + Math.cos(angle) * 88;
    const y = 12 + Math.sin(angle) * 76;
    const taken = seats - number <= seated;
    return `<circle class="seat-dot${taken ? " taken" : ""}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="6.500"/>`;
  }).join("");
  return svg("0 0 200 98", `<path class="moon-rail" d="M22 8h156c6 0 9 4 8 9-6 38-42 62-86 62S20 55 14 17c-1-5 2-9 8-9z"/><path class="moon-felt" d="M28 13h144c4 0 6 3 5 6-6 32-37 53-77 53S29 51 23 19c-1-3 1-6 5-6z"/><path class="moon-tray" d="M78 13h44v8c0 2-1 3-3 3H81c-2 0-3-1-3-3z"/><g class="moon-boxes"><rect x="76" y="30" width="13" height="18" rx="1.500"/><rect x="93.500" y="30" width="13" height="18" rx="1.500"/><rect x="111" y="30" width="13" height="18" rx="1.500"/></g>${places}`, "moon");
}

/** @param {Floor.TableLine & { mine?: boolean }} one */
function plate({ table, mine }) {
  return make("li", { class: "table-plate" }, make("a", { href: `/tables/${encodeURIComponent(table)}`, class: "plate-link" },
    make("div", { class: "plate-top" }, make("div", { class: "plate-titles" }, make("h2", {}, mine ? "Your table" : table), make("p", { class: "plate-game" })), make("div", { class: "plate-moon" })),
    make("p", { class: "plate-book" }),
    make("dl", { class: "plate-facts" },
      make("div", {}, make("dt", {}, "Ante"), make("dd", { class: "fact-limits" })),
      make("div", {}, make("dt", {}, "Seats"), make("dd", { class: "fact-seats" })),
      make("div", {}, make("dt", {}, "Round"), make("dd", { class: "fact-round" }))),
    make("p", { class: "plate-bets" }),
    make("p", { class: "plate-meter" }),
    make("span", { class: "plate-go" })));
}

const meters = new Map();
let door = "";

/* Who plays sits down; visitors at demo tables. */
/** @param {Floor.TableLine} one */
const maySit = (one) => door === "player" || (door === "visitor" && one.demo);

/** @param {any} place @param {Floor.TableLine} one */
function drawTable(place, one) {
  const card = keyed(place, one.table, () => plate(one));
  const at = (name) => card.querySelector(name);
  const ready = one.rulebook !== undefined;
  card.classList.toggle("shut", !one.open);
  say(at(".plate-game"), ready ? titled(one.game) : "");
  say(at(".plate-book"), ready ? one.title : "not set up yet");
  if (!ready) return;
  const moon = at(".plate-moon");
  const seats = `${one.seats}/${one.seated}`;
  if (moon.dataset.seats !== seats) { moon.dataset.seats = seats; moon.replaceChildren(halfMoon(one.seats, one.seated)); }
  say(at(".fact-limits"), limits(one));
  say(at(".fact-seats"), `${one.seated} of ${one.seats}`);
  say(at(".fact-round"), `${one.round || "first"}${one.open && one.slow ? " · slow until somebody plays" : ""}`);
  say(at(".plate-bets"), one.side_bets.length ? `With ${one.side_bets.map(words).join(", ")}` : "No side bets");
  const free = one.seats - one.seated;
  say(at(".plate-go"), !one.open ? (one.round ? "Closed" : "Not open yet") : !maySit(one) ? "Watch" : free > 0 ? `Sit down · ${free} ${free === 1 ? "seat" : "seats"} free` : "Watch · full");
  drawMeter(card, one);
}

/** @param {any} card @param {Floor.TableLine} one */
function drawMeter(card, one) {
  const place = card.querySelector(".plate-meter");
  const sign = one.link ? meters.get(one.link) : null;
  place.hidden = !sign?.tables.includes(one.table);
  if (place.hidden) return;
  card.dataset.link = one.link;
  if (!place.children.length) place.append(make("span", {}, "Jackpot "), make("b", {}));
  const amount = sign.shows === "jackpot" ? dollars(sign.cents) : sign.shows === "pending" ? "pending" : "out of service";
  say(place.querySelector("b"), amount);
}

/** @type {Floor.TableLine[]} */
let shown = [];
/** @type {Floor.TableLine[]} */
let own = [];

/** @param {Floor.Frame} frame */
function drawFloor(frame) {
  if (frame.kind !== "lobby") { say(byId("floor-words"), "The floor cannot be read just now; what is shown here is not live."); return; }
  shown = [...own, ...frame.tables];
  const place = byId("tables");
  for (const one of shown) drawTable(place, one);
  settle(place, shown.map((one) => one.table));
  const open = shown.filter((one) => one.open);
  const free = open.reduce((sum, one) => sum + one.seats - one.seated, 0);
  say(byId("floor-words"), open.length ? `${open.length} ${open.length === 1 ? "table is" : "tables are"} open, ${free} ${free === 1 ? "seat is" : "seats are"} free. Everything here is live.` : "No table is open yet.");
}

async function drawMeters() {
  const signs = floorMeters((await get("/api/meters")).meters);
  for (const sign of signs) meters.set(sign.link, sign);
  showMeters(byId("meters"), signs, (sign) => {
    meters.set(sign.link, sign);
    for (const one of shown) if (one.link === sign.link) drawTable(byId("tables"), one);
  });
}

let met = "";

/* A table that was opened just now plays for a meter that may be new. */
const mark = () => JSON.stringify(shown.map((one) => [one.table, one.link]));

async function start() {
  const me = await enter();
  door = me.door;
  byId("open-table").hidden = me.door === "auditor";
  own = (await get("/api/tables")).own.filter((one) => one.open && !one.test).map((one) => ({ ...one, mine: true }));
  await drawMeters();
  look(["lobby"], (frame) => {
    drawFloor(frame);
    if (met === mark()) return;
    met = mark();
    drawMeters().then(() => { drawFloor(frame); meterChoice(); }).catch(tellRefusal);
  });
  wireOpening(me, { tables: () => shown, meters: () => [...meters.values()] });
}

start().catch(tellRefusal);
