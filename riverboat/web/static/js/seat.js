/* A table from a player's seat, or from the rail: frames in, commands out. */
import { ask, get, mintId, post, tablePath, tellRefusal } from "./ask.js";
import { Bets } from "./bets.js";
import { showCards, cardName } from "./cards.js";
import { askCosts, costInShort } from "./coach.js";
import { followClock } from "./countdown.js";
import { byId, make, say } from "./draw.js";
import { drawBoxes, drawOthers, drawPayTables, drawPrint, drawSign, drawSpots } from "./felt.js";
import { look } from "./live.js";
import { dollars, signed } from "./money.js";
import { OFF, chosenChip, drawAsked, drawBetting, drawDeciding, drawNothing, drawWords, wireKeys } from "./moves.js";
import { tellWord } from "./own_word.js";
import { isOn, onSettings } from "./settings.js";
import { fetchWhy, openWhy, recallRound, whyOf } from "./why.js";
import { needWords, stateWords } from "./words.js";

const TOP_UP = 100_000;
const ENDING = ["settling", "settled", "over", "void"];
const STATUS = { folded: ": folded", forfeit: ": forfeited" };
const ENDED = ["over", "void"];

class SeatPage {
  /** @param {string} table @param {Floor.Felt} printed */
  constructor(table, printed) {
    this.table = table;
    this.printed = printed;
    /** @type {Floor.TableFrame} */
    this.frame = null;
    this.last = null;
    this.sent = "";
    this.advice = null;
    this.advised = "";
    this.costs = { round: null, words: "" };
    this.looked = false;
    this.playing = null;
    this.resultKey = "";
    this.said = "";
    this.welcome = 0;
    this.bets = new Bets(table, () => this.draw());
  }

  start() {
    drawPrint(this.printed);
    drawPayTables(this.printed);
    wireKeys();
    byId("spots").addEventListener("keydown", (event) => this.spotKey(event));
    byId("stand-up")?.addEventListener("click", () => this.do({ do: "stand_up", seat: this.frame.you.seat }));
    byId("top-up")?.addEventListener("click", () => this.topUp());
    onSettings(({ name }) => { if (name === "coach") { this.advised = ""; this.advice = null; this.draw(); } });
    look([`table/${this.table}`], (frame) => { if (frame.kind === "table") this.take(frame); });
  }

  // ---------------------------------------------------------------- frames

  /** @param {Floor.TableFrame} frame */
  take(frame) {
    if (this.frame && frame.rulebook_sha256 !== this.frame.rulebook_sha256) location.reload();
    this.frame = frame;
    this.bets.follow(frame, this.printed);
    const own = this.ownSeat(frame);
    this.followOwn(frame, own);
    if (own && (own.status !== "in" || ENDING.includes(frame.round.phase))) {
      this.last = { ...frame.round, number: frame.round_number, seat: frame.you.seat };
      const key = `${frame.round_number} ${frame.round.phase} ${JSON.stringify([own.wagers_cents, own.results_cents])}`;
      if (key !== this.resultKey) { this.resultKey = key; fetchWhy(this.table, frame.round_number, () => this.draw()); }
    }
    followClock(frame);
    tellWord(frame);
    this.draw();
  }

  /** A screen that is slow gets the newest frame next, and a reloaded page begins with one: a round
      of one's own that ended in between is taken from the record.
      @param {Floor.TableFrame} given @param {Floor.SeatView} own */
  followOwn({ you, round, round_number: number }, own) {
    const before = this.playing;
    const isDealt = own && round.phase !== "betting";
    this.playing = isDealt && !ENDED.includes(round.phase) ? { number, seat: you.seat } : null;
    if (before && !(own && before.number === number)) this.recall(before.number, before.seat);
    if (!you || this.looked) return;
    this.looked = true;
    if (you.seat !== null && !isDealt) this.recall(number - 1, you.seat);
  }

  async recall(number, seat) {
    try {
      const last = await recallRound(this.table, number, seat);
      if (last && !(this.last?.number > number)) { this.last = last; this.draw(); }
    } catch { /* the table goes on without it */ }
  }

  /** @param {Floor.TableFrame} frame */
  ownSeat(frame) {
    return frame.you?.seat ? frame.round?.seats?.[frame.you.seat] : undefined;
  }

  /** The round that lies in front of one: the finished one stays until one bets again. */
  inFront() {
    const { frame } = this;
    const now = frame.round && { ...frame.round, number: frame.round_number };
    const isFresh = !now || (now.phase === "betting" && !Object.keys(this.bets.laid).length && !this.bets.ready);
    const stays = this.last && this.last.seat === frame.you?.seat && this.last.number !== now?.number;
    return isFresh && stays ? this.last : now;
  }

  draw() {
    const { frame, printed } = this;
    if (!frame) return;
    const seat = frame.you?.seat ?? null;
    const round = this.inFront();
    const at = drawBoxes(printed, frame, round);
    const live = frame.round && { ...frame.round, number: frame.round_number };
    const sitDown = (chosen) => this.do({ do: "sit_down", seat: chosen });
    const free = new Set(seat === null ? frame.you?.sits : []);
    drawOthers({ printed, frame, round: live, own: seat, at: { ...at, round: live?.number ?? 0 }, free, sitDown });
    drawSign(frame.sign);
    byId("own").hidden = seat === null;
    const leave = byId("stand-up");
    if (leave) leave.hidden = seat === null;
    leave?.setAttribute("aria-disabled", String(!frame.you?.stands));
    if (seat !== null) this.drawOwn(round, seat, at);
    byId("felt").dataset.phase = frame.round?.phase ?? frame.state;
    const purse = byId("purse");
    if (purse) purse.parentElement.hidden = !frame.you;
    if (purse && frame.you) say(purse, dollars(this.bets.left()));
    this.drawBar(seat);
    this.tell(round, seat);
  }

  /** @param {Floor.RoundView & { number?: number }} round @param {number} seat @param {any} at */
  drawOwn(round, seat, at) {
    const own = round?.seats?.[seat];
    const past = round !== null && round?.number !== this.frame.round_number;
    const isBetting = this.frame.you.betting && !past;
    showCards(byId("own-cards"), own?.cards ?? [], { ...at, round: `${at.round}own`, places: this.printed.dealer_hand ? 5 : 2 });
    byId("own").classList.toggle("turn", this.frame.round?.turn === seat);
    byId("own").classList.toggle("folded", own?.status === "folded");
    const amounts = isBetting ? this.bets.laid : own?.wagers_cents ?? {};
    const results = own ? this.settled(round, own) : {};
    drawSpots({
      printed: this.printed, amounts, results, isVoid: round?.phase === "void",
      light: this.frame.keys?.lights?.[seat] ?? "off",
      live: this.bets.ready ? new Set() : this.bets.openSpots(),
      onTap: (spot) => this.tap(spot),
      onWhy: (spot) => this.why(round.number, spot),
    });
    this.drawPlate(round, own);
  }

  /** What spots came to that are settled: a stake still on the felt has no result yet, and the
      sensor's chip leaves it long before its result.
      @param {Floor.RoundView & { number?: number }} round @param {Floor.SeatView} own */
  settled(round, own) {
    const told = new Set(whyOf(round.number).flatMap((one) => one.spots));
    const isDone = (spot) => ENDED.includes(round.phase) || (!(spot in own.wagers_cents) && told.has(spot));
    return Object.fromEntries(Object.entries(own.results_cents).filter(([spot]) => isDone(spot)));
  }

  /** @param {Floor.RoundView & { number?: number }} round @param {Floor.SeatView} own */
  drawPlate(round, own) {
    const plate = byId("plate");
    const done = own && ENDED.includes(round.phase) && whyOf(round.number).length > 0;
    const cost = done ? this.costWords(round) : "";
    const signature = done ? `${round.number} ${own.net_cents} ${round.phase} ${cost}` : `${this.frame.you.name} ${own?.status}`;
    if (plate.dataset.says === signature) return;
    plate.dataset.says = signature;
    if (!done) {
      plate.replaceChildren(`${this.frame.you.name}, seat ${this.frame.you.seat}${STATUS[own?.status] ?? ""}`);
      return;
    }
    const net = own.net_cents;
    const words = round.phase === "void" ? "Void: your bets came back" : net > 0 ? `You won ${dollars(net)}` : net < 0 ? `You lost ${dollars(-net)}` : "You come out even";
    const how = net > 0 ? "won" : net < 0 ? "lost" : "push";
    const onclick = () => this.why(round.number, "");
    plate.replaceChildren(make("button", { class: "button why-button", type: "button", "data-how": how, onclick },
      make("b", {}, words), " ", make("span", {}, "why?"), cost ? make("small", {}, cost) : null));
  }

  /** With the coach, what one's decisions in a finished round cost; nothing before the answer.
      @param {{ number?: number }} given */
  costWords({ number }) {
    if (!isOn("coach")) return "";
    if (this.costs.round !== number) {
      this.costs = { round: number, words: "" };
      const told = (seats) => {
        const own = seats.find((one) => one.seat === this.frame.you?.seat) ?? seats[0];
        this.costs = { round: number, words: own ? costInShort(own) : "" };
        this.draw();
      };
      askCosts(this.table, number).then(told, () => {});
    }
    return this.costs.words;
  }

  why(number, spot) {
    const isDone = ENDED.includes(this.inFront()?.phase) && isOn("coach");
    openWhy(number, spot, this.printed.spots, isDone ? askCosts(this.table, number) : null);
  }

  drawBar(seat) {
    const { frame } = this;
    const decide = frame.you?.decide;
    if (decide) {
      const key = `${frame.round_number} ${decide.spot}`;
      this.coach(key);
      drawDeciding(decide, {
        street: this.printed.spots[decide.spot], advice: this.advised === key ? this.advice : null, sent: this.sent === key,
        onFold: () => this.decide(key, { do: "fold", seat }),
        onBet: (bet) => this.decide(key, { do: "bet", seat, cents: bet.cents }),
      });
    } else if (frame.you?.betting) drawBetting(this.bets, { redraw: () => this.draw() });
    else if (frame.you?.asked?.length) drawAsked(frame.you.asked, (action) => this.do(action));
    else drawNothing();
    drawWords(stateWords(frame, this.printed, this.bets, this.welcome === frame.round_number), needWords(frame, this.printed, this.bets));
  }

  // ---------------------------------------------------------------- what a person does

  async do(action) {
    try { return await ask(this.table, action); } catch (problem) { tellRefusal(problem); return null; }
  }

  async decide(key, action) {
    this.sent = key;
    this.draw();
    if (!(await this.do(action))) { this.sent = ""; this.draw(); }
  }

  tap(spot) {
    const chosen = chosenChip();
    if (chosen === OFF) this.bets.lay(spot, 0);
    else this.bets.add(spot, chosen);
  }

  spotKey(event) {
    const spot = event.target.dataset?.spot;
    const chip = chosenChip() === OFF ? 500 : chosenChip();
    if (!spot || event.target.disabled) return;
    if (event.key === "+" || event.key === "=") this.bets.add(spot, chip);
    else if (event.key === "-" || event.key === "−") this.bets.add(spot, -chip);
    else if (event.key === "Delete" || event.key === "Backspace") this.bets.lay(spot, 0);
    else return;
    event.preventDefault();
  }

  async topUp() {
    try { await post("/api/purse", { id: mintId(), cents: TOP_UP }); } catch (problem) { tellRefusal(problem); }
  }

  // ---------------------------------------------------------------- the coach

  async coach(key) {
    if (!isOn("coach") || this.advised === key) return;
    this.advised = key;
    this.advice = null;
    try {
      const advice = await get(`${tablePath(this.table)}/advice`);
      if (this.advised === key) { this.advice = advice; this.draw(); }
    } catch { /* decided before the answer came */ }
  }

  /** For the ear: cards as they come, the turn, the result.
      @param {Floor.RoundView & { number?: number }} round @param {number} seat */
  tell(round, seat) {
    const own = round?.seats?.[seat];
    const parts = [];
    const known = (cards) => cards.filter(Boolean).map(cardName).join(", ");
    if (own?.cards.some(Boolean)) parts.push(`Your cards: ${known(own.cards)}.`);
    const open = known([...(round?.community ?? []), ...(round?.dealer ?? [])]);
    if (open) parts.push(`On the felt: ${open}.`);
    if (this.frame.you?.decide) parts.push(`Your decision: ${this.printed.spots[this.frame.you.decide.spot]}.`);
    if (own && ENDED.includes(round.phase)) parts.push(`Result: ${signed(own.net_cents)}.`);
    const words = parts.join(" ");
    if (words !== this.said) { this.said = words; byId("told").textContent = words; }
  }
}

export async function openSeat(table, isFirst = false) {
  try {
    const page = new SeatPage(table, await get(`${tablePath(table)}/felt`));
    if (isFirst) page.welcome = 1;
    page.start();
  } catch (problem) {
    tellRefusal(problem);
  }
}

const room = byId("room");
if (room?.dataset.table) openSeat(room.dataset.table);
