/* Meters as small signs, ticking: on the lobby's wall and on the wall of signs. */
import { keyed, make, say, settle } from "./draw.js";
import { look } from "./live.js";
import { dollars } from "./money.js";
import { odometer } from "./odometer.js";

const AT_ONCE = 4;
const SAID = 2;
const wheels = new Map();
const known = new Map();

/** The meters that a table of the floor plays for.
    @param {Floor.MeterSign[]} signs */
export const floorMeters = (signs) => signs.filter((sign) => sign.tables.length > 0);

function plate(link) {
  const amount = make("span", { class: "plate-amount" });
  wheels.set(link, odometer(amount));
  return make("a", { class: "meter-plate", href: `/sign/${encodeURIComponent(link)}` },
    make("span", { class: "unseen" }, "Sign: "), make("span", { class: "plate-name" }), amount, make("span", { class: "plate-state" }), make("small", { class: "plate-id" }, link));
}

/** By what somebody at the rail calls it: the tables where it can be won.
    @param {Floor.MeterSign} sign */
function nameOf(sign) {
  const tables = sign.tables ?? [];
  const where = tables.length > SAID ? `${tables.length} tables` : tables.join(", ");
  return where ? `Jackpot · ${where}` : "Jackpot";
}

/** @param {Floor.MeterSign} sign */
function stateOf(sign) {
  if (sign.shows === "pending") return `Pending: ${dollars(sign.award_cents)} at ${sign.table}`;
  if (sign.shows !== "jackpot") return "Out of service";
  return sign.wager_cents ? `For a bet of ${dollars(sign.wager_cents)}` : "In service";
}

/** One meter's plate as its sign stands; what cannot be won now shows no amount.
    @param {any} place @param {Floor.MeterSign} sign */
function draw(place, sign) {
  const card = keyed(place, sign.link, () => plate(sign.link));
  card.dataset.shows = sign.shows;
  say(card.querySelector(".plate-name"), nameOf(sign));
  say(card.querySelector(".plate-state"), stateOf(sign));
  const shown = sign.shows === "pending" ? sign.award_cents : sign.cents;
  card.querySelector(".plate-amount").hidden = shown === null;
  if (shown !== null) wheels.get(sign.link).show(shown, { roll: sign.shows === "jackpot" });
}

/** Plates for these meters in `place`, each followed live; those that stand there already stay.
    @param {any} place @param {Floor.MeterSign[]} signs @param {any} [told] */
export function showMeters(place, signs, told = () => {}) {
  const names = signs.map((sign) => sign.link).filter((name) => !known.has(name));
  for (const sign of signs) { known.set(sign.link, sign); draw(place, sign); }
  settle(place, [...known.keys()].sort());
  for (let at = 0; at < names.length; at += AT_ONCE) {
    look(names.slice(at, at + AT_ONCE).map((name) => `meter/${name}`), (frame) => {
      if (frame.kind !== "lost" && frame.kind !== "sign") return;
      const link = frame.kind === "lost" ? frame.topic.slice("meter/".length) : frame.link;
      const news = frame.kind === "lost" ? { shows: "out_of_service", cents: null } : frame;
      const sign = { ...known.get(link), ...news };
      known.set(link, sign);
      draw(place, sign);
      told(sign);
    });
  }
}
