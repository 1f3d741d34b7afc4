/* The time to decide while other people wait: shown to everybody, told to the ear once. */
import { byId, make, say, svg } from "./draw.js";

const SOON = 10;
const TICK = 200;
const RING = '<circle cx="10" cy="10" r="8" class="ring-back"/><circle cx="10" cy="10" r="8" pathLength="100" class="ring-left"/>';
let running = null;
let ticking = 0;

/** A frame came: it says how much is left, and the browser's own clock counts from there.
    @param {Floor.TableFrame} given */
export function followClock({ clock, you, seated, round, round_number: number }) {
  if (!clock) { stop(); return; }
  const own = you?.seat === clock.seat;
  const turn = `${number} ${clock.seat} ${round?.decision}`;
  const told = running?.turn === turn && running.told;
  const name = seated[clock.seat] ?? `seat ${clock.seat}`;
  running = { turn, own, name, told, of: clock.of, until: performance.now() + clock.left * 1000 };
  ticking ||= setInterval(tick, TICK);
  tick();
}

function stop() {
  clearInterval(ticking);
  ticking = 0;
  running = null;
  byId("clock").hidden = true;
  say(byId("clock-told"), "");
}

function face() {
  const place = byId("clock");
  if (!place.children.length) place.append(svg("0 0 20 20", RING, "ring"), make("span", {}));
  return place;
}

function tick() {
  const { own, name, of } = running;
  const left = Math.max(0, running.until - performance.now()) / 1000;
  const seconds = Math.ceil(left);
  const place = face();
  place.hidden = false;
  place.classList.toggle("yours", own);
  place.classList.toggle("soon", own && left <= SOON);
  place.querySelector(".ring-left").setAttribute("stroke-dasharray", `${((100 * left) / of).toFixed(1)} 100`);
  const over = own ? "Your time is over" : `The time of ${name} is over`;
  say(place.lastChild, seconds ? (own ? `${seconds} s to decide` : `Waiting for ${name}, ${seconds} s`) : over);
  if (own && left <= SOON && !running.told) {
    running.told = true;
    say(byId("clock-told"), `${seconds} seconds left to decide; others wait.`);
  }
}
