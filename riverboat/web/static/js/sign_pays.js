/* The progressive's pay table on its sign; shares of the meter with the amount they come to now. */
import { byId, make, say } from "./draw.js";
import { dollars } from "./money.js";

const NO_LINE = "lose";
/** @type {Floor.PrintedLine[]} */
let lines = [];

/** What the tables on this meter print; the first that answers speaks for all.
    @param {string[]} tables */
export async function fetchPays(tables) {
  for (const table of tables) {
    const answer = await fetch(`/api/tables/${encodeURIComponent(table)}/felt`, { credentials: "same-origin" }).catch(() => null);
    if (!answer?.ok) continue;
    /** @type {Floor.Felt} */
    const felt = await answer.json();
    lines = (felt.paytables.find((one) => one.bet === "progressive")?.lines ?? []).filter((one) => one.pays !== NO_LINE);
    lay();
    return felt;
  }
  return null;
}

function lay() {
  byId("pays").replaceChildren(make("table", {}, make("caption", { class: "unseen" }, "What the progressive pays"),
    make("tbody", {}, ...lines.map((one) => make("tr", {}, make("th", { scope: "row" }, one.hand), make("td", { "data-pays": one.pays }, one.pays))))));
}

function worth(pays, cents) {
  const share = /^(\d+(?:\.\d+)?)% of meter$/.exec(pays);
  if (!share) return pays;
  if (cents === null) return `${share[1]}% of the meter`;
  const hundredths = Math.round(Number(share[1]) * 100);
  return dollars(Math.floor((cents * hundredths) / 10000));
}

/** Amounts only while the meter's own amount can be won.
    @param {Floor.MeterSign} frame */
export function drawPays(frame) {
  const cents = frame?.shows === "jackpot" ? frame.cents : null;
  for (const cell of byId("pays").querySelectorAll("td")) say(cell, worth(cell.dataset.pays, cents));
}
