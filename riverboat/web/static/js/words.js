/* What the table waits for, and what a hand would need, in words. */
import { sentence } from "./ask.js";
import { dollars } from "./money.js";

const PHASES = {
  closed: "No more bets.",
  locked: "No more bets. The progressive is locked.",
  ready: "The dealer is about to deal.",
  dealing: "The dealer deals.",
  turning: "The dealer turns the next card.",
  settling: "The dealer settles the bets.",
  settled: "All bets are settled.",
  over: "The round is over.",
  void: "The round is void; every bet comes back.",
};
const STATES = {
  used: "The dealer gathers the cards.",
  shuffling: "The deck is being shuffled.",
  shuffled: "The deck is cut.",
  ready: "The deck is ready; the next round opens.",
  closed: "The table is closed.",
  configured: "The table is set up and not open yet.",
  deck_change: "The deck is being changed.",
  device_down: "The shuffler is down; the floor knows.",
};

/** Whether the gaming day is open and the table is.
    @param {Floor.TableFrame} frame */
export const isRunning = (frame) => Boolean(frame.date) && !["closed", "configured"].includes(frame.state);

/** @param {Floor.TableFrame} given @param {Floor.Felt} printed @param {boolean} isFirst */
function decisionWords({ round, you }, printed, isFirst) {
  const street = printed.spots[you.decide.spot];
  const times = you.decide.bets.map((bet) => `${bet.times}×`);
  const most = times.length > 1 ? `${times.slice(0, -1).join(", ")} or ${times.at(-1)}` : times[0];
  const ante = dollars(round.seats[you.seat].wagers_cents.ante);
  const named = /^\d/.test(street) ? street : `The ${street.toLowerCase()}`;
  const where = printed.streets.length > 1 ? `${named}: your decision` : "Your decision";
  const words = `fold, or bet ${most} your ante`;
  const begins = isFirst && you.decide.spot === printed.streets[0].spot;
  return begins ? `Your hand is dealt; ${ante} of your play money is on the ante. ${sentence(words)}` : `${where}. ${sentence(words)}`;
}

/** @param {Floor.TableFrame} frame @param {Floor.Felt} printed @param {import("./bets.js").Bets} bets @param {boolean} isFirst */
export function stateWords(frame, printed, bets, isFirst) {
  const { round, you } = frame;
  if (frame.interrupted) return "The round is interrupted; the floor is looking into it.";
  if (!you) return isRunning(frame) ? "You are watching." : STATES[frame.state] ?? STATES.closed;
  if (!isRunning(frame)) return STATES[frame.state] ?? STATES.closed;
  if (you.seat === null) return "You are at the rail. Choose a free seat to play.";
  if (you.asked?.length) return sentence(you.asked[0].words);
  if (round?.seats?.[you.seat]?.status === "forfeit" && frame.state === "round") return "Your bets on this hand are forfeited; the floor tells you why.";
  const task = frame.tasks.find((one) => one.seat === you.seat || one.seat === null);
  if (you.decide) return decisionWords(frame, printed, isFirst);
  if (you.betting) {
    if (bets.ready) return you.waits ? `Your bets are down. The dealer ${you.waits}.` : "Your bets are down. The dealer deals when the others are ready.";
    const missing = bets.missing();
    return missing ? sentence(`Choose a chip, tap a spot: ${missing}`) : "Your bets are down. Deal when you like.";
  }
  if (frame.state !== "round" || !round) return STATES[frame.state] ?? sentence(task?.words ?? "the dealer prepares the deck");
  if (round.phase === "deciding") return `${frame.seated[round.turn] ?? `Seat ${round.turn}`} decides${printed.streets.length > 1 ? ` on ${printed.spots[round.decision]}` : ""}.`;
  return PHASES[round.phase] ?? sentence(task?.words ?? round.phase);
}

/** What the largest bets from here would take, held against the purse.
    @param {Floor.TableFrame} frame @param {Floor.Felt} printed @param {import("./bets.js").Bets} bets */
export function needWords(frame, printed, bets) {
  const nothing = { words: "", short: false };
  const { you } = frame;
  if (!you || you.seat === null) return nothing;
  if (you.most_cents) {
    const short = you.most_cents > you.purse_cents;
    return { words: `The largest bets from here would take ${dollars(you.most_cents)} of your ${dollars(you.purse_cents)}.`, short };
  }
  if (!you.betting) return nothing;
  const ante = bets.laid.ante || bets.before.ante || printed.limits.ante.minimum_cents || 100;
  const largest = printed.streets.map((street) => Math.max(...street.multiples));
  const most = largest.reduce((sum, times) => sum + times, 0) * ante;
  const alike = largest.every((times) => times === largest[0]);
  const streets = largest.length > 1 ? `${alike ? `${largest[0]}×` : "the largest bet"} on every bet` : `the ${printed.spots[printed.streets[0].spot]}`;
  const left = bets.left();
  if (bets.laid.ante) return { words: `With an ante of ${dollars(ante)}, ${streets} needs ${dollars(most)} more; you keep ${dollars(left)}.`, short: most > left };
  return { words: `An ante of ${dollars(ante)} with ${streets} takes ${dollars(ante + most)} in all; you have ${dollars(left)}.`, short: ante + most > left };
}
