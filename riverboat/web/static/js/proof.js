/* The commitment of a round: what was published before the bets, and that the cards agree with it. */
import { cardName } from "./cards.js";
import { make } from "./draw.js";

function fact(words, value) {
  return [make("dt", {}, words), make("dd", {}, value)];
}

async function sha(text) {
  const bytes = await crypto.subtle.digest("SHA-256", text);
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const unhex = (text) => Uint8Array.from(text.match(/../g), (pair) => Number.parseInt(pair, 16));
const encoder = new TextEncoder();

/** Each field after its own length, four bytes, so that no other fields give the same bytes. */
function framed(...fields) {
  const parts = fields.map((one) => (typeof one === "string" ? encoder.encode(one) : one));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(bytes.buffer).setUint32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

/** This browser hashes every opened card itself, and compares with the leaf that was published.
    @param {Floor.ToldRound} story */
export async function checkHere(story) {
  const { proof, table } = story;
  if (!crypto.subtle) return "this browser hashes on secure pages only";
  for (const one of proof.openings) {
    const leaf = await sha(framed("riverboat leaf v1", table, String(proof.number), String(one.position), unhex(one.salt), one.card));
    if (leaf !== proof.leaves[one.position]) return `position ${one.position}: ${cardName(one.card)} does not give its leaf`;
  }
  const root = await sha(framed("riverboat root v1", table, String(proof.number), ...proof.leaves.map(unhex)));
  return root === proof.root ? "" : "the leaves do not give the root";
}

/** @param {any} place @param {Floor.ToldRound} story */
export function drawProof(place, story) {
  const { proof } = story;
  if (!proof) { place.replaceChildren(make("p", { class: "panel-words" }, "This round was dealt with physical cards; there is no commitment to check.")); return; }
  const checks = make("ul", { class: "checks" }, ...proof.checks.map((check) => make("li", { "data-holds": check.holds ? "yes" : "no" }, check.what, check.found.length ? make("small", {}, check.found.join("; ")) : null)));
  const own = make("p", { class: "panel-words", role: "status" });
  const button = make("button", { class: "button", type: "button", onclick: async () => {
    const wrong = await checkHere(story).catch((problem) => problem.message);
    own.textContent = wrong || `Your browser hashed ${proof.openings.length} cards itself: every one gives the leaf that was published before the bets.`;
    own.dataset.holds = wrong ? "no" : "yes";
  } }, "Check it in this browser");
  const cuts = proof.cuts.map((cut) => `${cut.depth} cards, by ${cut.by}${cut.drawn ? ", drawn" : ""}`).join("; ") || "none";
  place.replaceChildren(checks, make("dl", { class: "facts" }, ...fact("Commitment", `no. ${proof.number}`), ...fact("Root", make("code", {}, proof.root)), ...fact("Cut after the bets", cuts), ...fact("Cards opened to you", String(proof.openings.length)), ...fact("Evidence", make("code", {}, story.evidence))), button, own);
}
