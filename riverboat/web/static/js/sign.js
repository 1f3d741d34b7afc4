/* The sign over the tables: what can be won now, and never an amount that is not known to be true. */
import { byId, say } from "./draw.js";
import { enter } from "./entering.js";
import { look } from "./live.js";
import { dollars } from "./money.js";
import { odometer } from "./odometer.js";
import { isStill } from "./settings.js";
import { drawPays, fetchPays } from "./sign_pays.js";

const BEAT_MS = 1500;
const LOST_MS = 5000;
const WIN_MS = 30000;

const sign = byId("sign");
const meter = sign.dataset.meter;
const path = encodeURIComponent(meter);
const wheels = odometer(byId("amount"), 7);
let proved = performance.now();
/** @type {Floor.MeterSign} */
let last = null;
let winning = 0;
let lost = false;

const words = (name) => name.replaceAll("_", " ");

/* A test's table and a visitor's own have names that say nothing to those who look up. */
function placeOf(table) {
  if (last?.test) return "the test table";
  return sign.dataset.visitors ? "a visitor’s table" : table;
}

function face(shows, word, cents, under) {
  const before = sign.dataset.shows;
  sign.dataset.shows = shows;
  say(byId("word"), word);
  byId("amount").hidden = cents === null;
  wheels.show(cents, { roll: shows === "jackpot" && before === "jackpot" });
  say(byId("under"), under);
}

/** The sign as the meter stands; WIN stays until its time is over.
    @param {Floor.MeterSign} frame */
export function draw(frame) {
  const before = last;
  last = frame;
  if (before?.shows === "pending" && frame.shows === "jackpot") askWhetherWon(before);
  if (winning && frame.shows === "jackpot") return;
  endWin();
  if (frame.shows === "pending") {
    const hand = frame.hand ? words(frame.hand) : "a winning hand";
    const next = frame.next_cents === null ? "" : `; the next jackpot starts at ${dollars(frame.next_cents)}`;
    face("pending", "Pending", frame.award_cents, `${hand} at ${placeOf(frame.table)}, being verified${next}`);
  } else if (frame.shows === "jackpot") {
    face("jackpot", "Jackpot", frame.cents, "");
  } else {
    outOfService(frame.reason || "The meter is not in service.");
  }
  say(byId("reserve"), frame.reserve ?? "");
  byId("test").hidden = !frame.test;
  drawPays(frame);
}

export function outOfService(why) {
  face("out_of_service", "Out of service", null, why);
  drawPays(null);
}

/** An award that was held is a win only when it has left the meter.
    @param {Floor.MeterSign} held */
async function askWhetherWon(held) {
  try {
    const won = await fetched(`/sign/${path}/last-win`);
    if (won.number && won.cents === held.award_cents && won.table === held.table) win(won);
  } catch { /* no proof of a win, no WIN */ }
}

/** @param {Floor.LastWin} given */
export function win({ cents, hand, table }) {
  clearTimeout(winning);
  winning = setTimeout(() => { endWin(); if (last) draw(last); }, WIN_MS);
  face("win", "Winner", cents, `${words(hand)} at ${placeOf(table)}`);
}

export function endWin() {
  clearTimeout(winning);
  winning = 0;
}

/**
 * @template {string} P
 * @param {P} address
 * @returns {Promise<Floor.GetAnswer<P>>}
 */
async function fetched(address) {
  const answer = await fetch(address, { credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(LOST_MS - BEAT_MS) });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/* A quiet meter sends no frames, so that the sign asks: is the floor there, and is it live? */
async function beat() {
  try {
    const [health, frame] = await Promise.all([fetched("/health"), fetched(`/api/meters/${path}/sign`)]);
    if (!health.frames) throw new Error("behind");
    proved = performance.now();
    lost = false;
    draw(frame);
  } catch { /* no proof */ }
}

function watch() {
  if (performance.now() - proved < LOST_MS || lost) return;
  lost = true;
  endWin();
  last = null;
  outOfService("The connection to the meter is lost; no amount is shown until it is back.");
}

/* Lamps around the edge, as many as fit; half of them breathe against the other half. */
function lamps() {
  const [wide, high] = [innerWidth, innerHeight];
  const every = Math.max(26, Math.min(wide, high) / 24);
  const inset = every * 0.42;
  const points = [];
  const across = Math.round((wide - 2 * inset) / every);
  const down = Math.round((high - 2 * inset) / every);
  for (let n = 0; n <= across; n += 1) {
    const x = inset + ((wide - 2 * inset) * n) / across;
    points.push([x, inset], [x, high - inset]);
  }
  for (let n = 1; n < down; n += 1) {
    const y = inset + ((high - 2 * inset) * n) / down;
    points.push([inset, y], [wide - inset, y]);
  }
  for (const half of [0, 1]) {
    const place = byId(`bulbs-${half}`);
    place.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    place.innerHTML = points.filter((_, n) => (n >> 1) % 2 === half).map(([x, y]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${(every * 0.15).toFixed(1)}"/>`).join("");
  }
  sign.classList.toggle("still", isStill());
}

function wireFull() {
  const button = byId("full");
  button.hidden = !document.documentElement.requestFullscreen;
  button.addEventListener("click", () => document.documentElement.requestFullscreen());
  document.addEventListener("keydown", (event) => { if (event.key === "f") button.click(); });
}

async function start() {
  lamps();
  addEventListener("resize", lamps);
  wireFull();
  setInterval(watch, 250);
  await enter();
  await beat();
  const about = await fetchPays(last?.tables ?? []);
  say(byId("book"), about ? `${about.title} · ${dollars(about.progressive_cents)} bet` : meter);
  if (last) drawPays(last);
  setInterval(beat, BEAT_MS);
  look([`meter/${meter}`], (frame) => {
    if (frame.kind === "lost") { last = null; endWin(); outOfService("The floor cannot be read just now."); return; }
    if (frame.kind !== "sign") return;
    proved = performance.now();
    lost = false;
    draw({ ...last, ...frame });
  });
}

start().catch(() => outOfService("The floor cannot be reached."));
