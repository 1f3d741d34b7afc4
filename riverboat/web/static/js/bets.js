/* Chips on their way to the felt: what one has laid out, and what the house has taken note of. */
import { ask, post, tablePath, tellRefusal } from "./ask.js";
import { dollars } from "./money.js";
import { noteSealed, sealFor } from "./own_word.js";

const SEND_AFTER = 600;
const SENSOR = "progressive";

export class Bets {
  constructor(table, changed) {
    this.table = table;
    this.changed = changed;
    this.laid = {};
    this.placed = {};
    this.before = {};
    this.remembered = null;
    this.round = null;
    this.ready = false;
    this.at = 0;
    this.sending = Promise.resolve();
    this.timer = 0;
  }

  /** A frame came: a new round starts with an empty felt, an old one is as the house has it.
      @param {Floor.TableFrame} frame @param {Floor.Felt} printed */
  follow(frame, printed) {
    this.frame = frame;
    this.printed = printed;
    const seat = frame.you?.seat;
    const own = frame.round?.seats?.[seat];
    if (this.round !== frame.round_number) {
      this.round = frame.round_number;
      this.ready = false;
      this.laid = {};
      this.placed = {};
    }
    if (frame.at < this.at) return;
    /** @type {Record<string, number>} */
    const there = {};
    for (const [spot, cents] of Object.entries(own?.wagers_cents ?? {})) if (this.takes(spot)) there[spot] = cents;
    if (this.placed[SENSOR] && !there[SENSOR] && frame.you?.betting) there[SENSOR] = this.placed[SENSOR];
    const untouched = same(this.laid, this.placed);
    this.placed = there;
    if (untouched || !this.isOpen()) this.laid = { ...there };
    this.remember(frame, own, there);
  }

  /** What was bet when the betting closed, for betting the same again; the sensor's chip is known
      by its light.
      @param {Floor.TableFrame} frame @param {Floor.SeatView} own @param {Record<string, number>} there */
  remember(frame, own, there) {
    if (frame.you?.betting || !own || ["settling", "settled", "over", "void"].includes(frame.round.phase)) return;
    if (this.remembered !== frame.round_number && there.ante) {
      this.remembered = frame.round_number;
      this.before = { ...there };
    }
    if (own.progressive_lit && this.before.ante) this.before[SENSOR] = this.printed.progressive_cents;
  }

  takes(spot) {
    return spot === "ante" || spot === SENSOR || spot in (this.printed?.limits ?? {});
  }

  isOpen() {
    return Boolean(this.frame?.you?.betting);
  }

  openSpots() {
    return new Set(this.isOpen() ? Object.keys(this.areas()) : []);
  }

  /** What is left of the purse when everything that is laid out lies on the felt. */
  left() {
    return (this.frame?.you?.purse_cents ?? 0) + sum(this.placed) - sum(this.laid);
  }

  /** What can be laid on each spot in this betting, one after the other, with its limits. */
  areas() {
    return this.frame?.you?.areas ?? {};
  }

  limit(spot) {
    return this.areas()[spot] ?? { minimum_cents: 0, maximum_cents: null };
  }

  add(spot, cents) {
    if (!(spot in this.areas())) return;
    if (spot === SENSOR) {
      this.lay(spot, this.laid[SENSOR] && cents > 0 ? 0 : cents > 0 ? this.limit(spot).minimum_cents : 0);
      return;
    }
    this.lay(spot, Math.max(0, (this.laid[spot] ?? 0) + cents));
  }

  lay(spot, cents) {
    const most = this.limit(spot).maximum_cents;
    if (spot !== SENSOR && most !== null && cents > most) {
      tellRefusal({ message: `${this.printed.spots[spot]} takes at most ${dollars(most)} at this table` });
      return;
    }
    if (cents > (this.laid[spot] ?? 0) && this.left() < cents - (this.laid[spot] ?? 0)) {
      tellRefusal({ message: "that is more than your bankroll; play money can be topped up at any time" });
      return;
    }
    if (cents) this.laid[spot] = cents;
    else delete this.laid[spot];
    if (!this.laid.ante) this.ready = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), SEND_AFTER);
    this.changed();
  }

  clear() {
    this.laid = {};
    clearTimeout(this.timer);
    this.send();
    this.changed();
  }

  again() {
    this.laid = Object.fromEntries(Object.entries(this.before).filter(([spot]) => spot in this.areas()));
    return this.deal();
  }

  /** Why it cannot be dealt yet, in words; nothing when it can. */
  missing() {
    for (const [spot, cents] of Object.entries(this.laid)) {
      const least = this.limit(spot).minimum_cents ?? 0;
      if (spot !== SENSOR && cents < least) return `${this.printed.spots[spot]} takes at least ${dollars(least)}`;
    }
    return this.laid.ante ? "" : `place an ante to be dealt in`;
  }

  async deal() {
    clearTimeout(this.timer);
    const missing = this.missing();
    if (missing) { tellRefusal({ message: missing }); return; }
    this.ready = true;
    this.changed();
    try {
      await this.send();
      if (!this.placed.ante) return;
      await post(`${tablePath(this.table)}/ready`);
    } catch (problem) {
      this.ready = false;
      tellRefusal(problem);
    }
    this.changed();
  }

  send() {
    this.sending = this.sending.then(() => this.bring());
    return this.sending;
  }

  /** Bring the felt to what is laid out: chips that change come off first, the ante goes on first. */
  async bring() {
    if (!this.isOpen()) return;
    const seat = this.frame.you.seat;
    const differ = [...new Set([...Object.keys(this.placed), ...Object.keys(this.laid)])]
      .filter((spot) => this.placed[spot] !== this.laid[spot]);
    const isAnte = (spot) => (spot === "ante" ? 1 : 0);
    const off = differ.filter((spot) => this.placed[spot]).sort((a, b) => isAnte(a) - isAnte(b));
    const on = differ.filter((spot) => this.isEnough(spot)).sort((a, b) => isAnte(b) - isAnte(a));
    try {
      for (const spot of off) {
        await this.command(spot === SENSOR ? { do: "remove_chip", seat } : { do: "take_back", seat, spot });
        delete this.placed[spot];
      }
      for (const spot of on) {
        if (spot !== "ante" && !this.placed.ante) continue;
        const cents = this.laid[spot];
        const seal = spot === SENSOR ? "" : await sealFor(this.frame);
        await this.command(spot === SENSOR ? { do: "place_chip", seat, cents } : { do: "wager", seat, spot, cents, ...(seal && { seal }) });
        if (seal) noteSealed(seal, this.at);
        this.placed[spot] = cents;
      }
    } catch (problem) {
      this.laid = { ...this.placed };
      this.ready = false;
      tellRefusal(problem);
      this.changed();
    }
  }

  isEnough(spot) {
    const cents = this.laid[spot] ?? 0;
    return cents > 0 && (spot === SENSOR || cents >= (this.limit(spot).minimum_cents ?? 0));
  }

  async command(action) {
    const done = await ask(this.table, action);
    this.at = Math.max(this.at, done.at);
  }
}

const sum = (wagers) => Object.values(wagers).reduce((all, cents) => all + cents, 0);

function same(a, b) {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
