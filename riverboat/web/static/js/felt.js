/* The felt as its rulebook lays it out: boxes or the dealer's hand, seats on an arc, betting areas. */
import { showCards } from "./cards.js";
import { showStack } from "./chips.js";
import { byId, keyed, label, make, say, settle, titled } from "./draw.js";
import { dollars, signed } from "./money.js";
import { isStill } from "./settings.js";

const COMMUNITY = 3;
const DEALERS = 5;
const SENSOR = "progressive";

const total = (wagers) => Object.values(wagers).reduce((sum, cents) => sum + cents, 0);

/** What is printed and never moves.
    @param {Floor.Felt} printed */
export function drawPrint(printed) {
  say(byId("printed-name"), titled(printed.game));
  const felt = byId("felt");
  felt.dataset.hand = printed.dealer_hand ? "five" : "two";
  felt.dataset.spots = String(Object.keys(printed.spots).length);
  say(byId("rulebook"), printed.title);
}

/** @param {Floor.Felt} printed @param {Floor.TableFrame} frame @param {Floor.RoundView & { number?: number }} round */
export function drawBoxes(printed, frame, round) {
  const boxes = byId("boxes");
  const deck = frame.decks.find((one) => one.stage === "in_play")?.back ?? frame.decks[0]?.back;
  const at = { round: round?.number ?? "none", deck };
  if (printed.dealer_hand) {
    boxes.dataset.label = "Dealer’s hand";
    showCards(boxes, round?.dealer ?? [], { ...at, places: DEALERS });
  } else {
    boxes.dataset.label = "Community cards";
    showCards(boxes, round?.community ?? [], { ...at, places: COMMUNITY });
  }
  return at;
}

const radians = (degrees) => (degrees * Math.PI) / 180;

/** Where a seat is on the table's edge, in hundredths of the felt: seat 1 is at the dealer's left
    hand. From the rail all sit on the arc; whoever sits here finds the own seat in front and the
    others in their order along both sides, so that the middle is free for one's bets. */
function placeOf(seat, seats, own) {
  if (own === null) {
    const theta = radians(8 + ((seat - 1) / Math.max(1, seats - 1)) * 164);
    return { x: 50 + 42.5 * Math.cos(theta), y: 17 + 62 * Math.sin(theta) };
  }
  const after = (seat - own + seats) % seats;
  const onLeft = Math.ceil((seats - 1) / 2);
  const isLeft = after <= onLeft;
  const count = isLeft ? onLeft : seats - 1 - onLeft;
  const away = isLeft ? after - 1 : seats - 1 - after;
  const degrees = count === 1 ? 22 : 38 - (away / (count - 1)) * 36;
  const out = 43 * Math.cos(radians(degrees / 2));
  return { x: isLeft ? 50 - out : 50 + out, y: 17 + 62 * Math.sin(radians(degrees)) };
}

function makeSeat() {
  return make("li", { class: "seat" },
    make("div", { class: "seat-cards" }),
    make("div", { class: "seat-chips" }),
    make("div", { class: "seat-name" }),
    make("div", { class: "seat-state" }));
}

/** @param {{ printed: Floor.Felt, frame: Floor.TableFrame, round: Floor.RoundView, own: number, at: any, free: Set<number>, sitDown: any }} given */
export function drawOthers({ printed, frame, round, own, at, free, sitDown }) {
  const list = byId("others");
  const keys = [];
  for (let seat = 1; seat <= printed.seats; seat += 1) {
    if (seat === own) continue;
    const element = keyed(list, `seat ${seat}`, makeSeat);
    keys.push(`seat ${seat}`);
    const { x, y } = placeOf(seat, printed.seats, own);
    element.style.setProperty("--x", `${x.toFixed(2)}%`);
    element.style.setProperty("--y", `${y.toFixed(2)}%`);
    element.classList.toggle("on-right", x > 50);
    drawOther(element, seat, { frame, round, at, isFree: free.has(seat), sitDown });
  }
  settle(list, keys);
}

const STATUS = { folded: "folded", forfeit: "forfeited", in: "" };

/** @param {any} element @param {number} seat @param {{ frame: Floor.TableFrame, round: Floor.RoundView, at: any, isFree: boolean, sitDown: any }} given */
function drawOther(element, seat, { frame, round, at, isFree, sitDown }) {
  const playing = round?.seats?.[seat];
  const name = frame.seated[seat] ?? "";
  const [cards, chips, plate, state] = element.children;
  element.classList.toggle("turn", round?.turn === seat);
  element.classList.toggle("folded", playing?.status === "folded");
  element.classList.toggle("free", !name);
  element.dataset.light = frame.keys?.lights?.[seat] ?? "off";
  const held = playing && !(playing.status === "folded" && !playing.cards_kept) ? playing.cards : [];
  showCards(cards, held, { ...at, round: `${at.round}s${seat}` });
  showStack(chips, playing ? total(playing.wagers_cents) : 0);
  if (!isFree) {
    plate.replaceChildren(name || `Seat ${seat}`);
  } else if (!plate.querySelector("button")) {
    plate.replaceChildren(make("button", { class: "button sit", type: "button", onclick: () => sitDown(seat) }, `Seat ${seat} `, make("small", {}, "sit down")));
  }
  say(state, stateWords(playing, round, name));
  state.classList.toggle("won", (playing?.net_cents ?? 0) > 0);
  label(element, `Seat ${seat}: ${name || "free"}${playing ? `, bets ${dollars(total(playing.wagers_cents))}` : ""}`);
}

/** @param {Floor.SeatView} playing @param {Floor.RoundView} round @param {string} name */
function stateWords(playing, round, name) {
  if (!name) return "";
  if (!playing) return round?.phase === "betting" ? "betting…" : "";
  const isDone = ["settled", "over", "void"].includes(round.phase) || (round.phase === "settling" && !total(playing.wagers_cents));
  if (isDone) return signed(playing.net_cents);
  return STATUS[playing.status] ?? playing.status.replaceAll("_", " ");
}

function makeSpot(spot, name, onTap) {
  const button = make("button", { class: "spot", type: "button", "data-spot": spot, onclick: () => onTap(spot) },
    make("span", { class: "spot-name" }, name), " ",
    make("span", { class: "spot-chips" }), " ",
    make("span", { class: "unseen" }),
    make("span", { class: "spot-light", "aria-hidden": "true" }));
  const result = make("button", { class: "spot-result", type: "button", hidden: true },
    make("span", { class: "unseen" }, `${name}: `), make("span", {}), make("span", { class: "unseen" }, ", why?"));
  const box = make("div", { class: "spot-box" }, button, result);
  if (spot === SENSOR) button.classList.add("sensor");
  return box;
}

/** One's own betting areas: what lies there, what it came to, and what a tap does.
    @param {{ printed: Floor.Felt, amounts: Record<string, number>, results: Record<string, number>, isVoid: boolean, light: string, live: Set<string>, onTap: any, onWhy: any }} given */
export function drawSpots({ printed, amounts, results, isVoid, light, live, onTap, onWhy }) {
  const place = byId("spots");
  const keys = Object.keys(printed.spots);
  for (const spot of keys) {
    const name = printed.spots[spot];
    const box = keyed(place, spot, () => makeSpot(spot, name, onTap));
    const [button, result] = box.children;
    const cents = amounts[spot] ?? 0;
    const open = live.has(spot);
    const chips = button.querySelector(".spot-chips");
    if (!cents && results[spot] !== undefined) sendOff(chips, results[spot]);
    showStack(chips, cents);
    button.classList.toggle("open", open);
    button.classList.toggle("bet", cents > 0);
    button.disabled = !open;
    if (spot === SENSOR) button.dataset.light = light;
    say(button.querySelector(".unseen"), `${cents ? "" : "no bet"}${spot === SENSOR ? `, light ${light}` : ""}`);
    drawResult(result, spot, results[spot], { isVoid, onWhy });
  }
  settle(place, keys);
}

/** Settled chips leave: what is lost to the dealer, what is won or pushed to the player. */
function sendOff(chips, cents) {
  const stack = chips.querySelector(".stack:not(.leaving)");
  if (!stack || isStill()) return;
  const leaving = stack.cloneNode(true);
  leaving.classList.add("leaving", cents < 0 ? "to-dealer" : "to-player");
  leaving.addEventListener("animationend", () => leaving.remove());
  chips.closest(".spot-box").append(leaving);
}

function drawResult(result, spot, cents, { isVoid, onWhy }) {
  result.hidden = cents === undefined;
  if (cents === undefined) return;
  say(result.children[1], isVoid ? "came back" : cents === 0 ? "push" : signed(cents));
  result.dataset.how = cents > 0 ? "won" : cents < 0 ? "lost" : "push";
  result.onclick = () => onWhy(spot);
}

/** @param {Floor.PrintedLine} line */
const isNothing = (line) => line.pays === "lose";

/** @param {Floor.Felt} printed */
export function drawPayTables(printed) {
  const list = byId("paytable-list");
  if (!list || list.dataset.sha === printed.sha256 + printed.paytables.length) return;
  list.dataset.sha = printed.sha256 + printed.paytables.length;
  list.replaceChildren(...printed.paytables.map((table) => {
    const name = table.bet === "base" ? (printed.dealer_hand ? "Against the dealer" : "Ante and streets") : (printed.spots[table.bet] ?? table.bet.replaceAll("_", " "));
    const rows = table.lines.filter((line) => !isNothing(line)).map((line) =>
      make("tr", {}, make("th", { scope: "row" }, line.hand), make("td", {}, line.pays)));
    return make("table", { class: "paytable" }, make("caption", {}, name, make("small", {}, table.id)), make("tbody", {}, ...rows));
  }));
}

/** The meter's sign, small.
    @param {Floor.SignFrame} sign */
export function drawSign(sign) {
  const place = byId("sign");
  if (!place) return;
  place.hidden = !sign;
  if (!sign) return;
  if (!place.firstChild) {
    place.append(make("a", { class: "meter", href: `/sign/${encodeURIComponent(sign.link)}` },
      make("span", { class: "meter-label" }, "Progressive"), make("span", { class: "meter-amount" }), make("span", { class: "meter-state" })));
  }
  say(place.querySelector(".meter-amount"), sign.cents === null ? "—" : `$${(sign.cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`);
  say(place.querySelector(".meter-state"), sign.shows === "jackpot" ? "" : sign.shows.replaceAll("_", " "));
}
