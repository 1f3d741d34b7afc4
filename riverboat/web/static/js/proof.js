/* The commitment of a round: what was published before the bets, whose words cut the deck, and that all
   of it agrees with the cards and with what this browser kept before its own bet. */
import { cardName } from "./cards.js";
import { make } from "./draw.js";
import { canHash, depthOf, hashed, sealOf, unhex } from "./hashing.js";
import { keptOf } from "./own_word.js";

function fact(words, value) {
  return [make("dt", {}, words), make("dd", {}, value)];
}

const seats = (numbers) => `${numbers.length === 1 ? "seat" : "seats"} ${numbers.join(" and ")}`;

/** This browser hashes every opened card itself, and compares with the leaf that was published.
    @param {Floor.ToldRound} story */
export async function checkHere(story) {
  const { proof, table } = story;
  if (!canHash()) return "this browser hashes on secure pages only";
  const number = String(proof.number);
  for (const one of proof.openings) {
    const leaf = await hashed("riverboat leaf v1", table, number, String(one.position), unhex(one.salt), one.card);
    if (leaf !== proof.leaves[one.position]) return `position ${one.position}: ${cardName(one.card)} does not give its leaf`;
  }
  const root = await hashed("riverboat root v2", table, number, unhex(proof.house), ...proof.leaves.map(unhex));
  if (proof.leaves.length !== 52 || root !== proof.root) return "leaves and the house's word do not give the root";
  if (await hashed("riverboat house word v1", table, number, unhex(proof.word)) !== proof.house) return "the house's word is not the one that it committed to";
  return (await wrongCut(proof)) || misdealt(proof);
}

/** @param {Floor.Proof} proof */
async function wrongCut(proof) {
  const told = proof.words.filter((one) => one.word !== null);
  for (const one of told) if (await sealOf(proof.root, one.seat, one.word) !== one.seal) return `the word of seat ${one.seat} is not the one that it sealed`;
  for (const cut of proof.cuts.filter((one) => one.fixed && !one.forced)) {
    const there = told.filter((one) => cut.seats.includes(one.seat));
    if (there.length !== told.length || there.length !== cut.seats.length) return "a word that was told is not in the cut";
    const depth = await depthOf(proof.root, proof.word, there, cut.lowest, cut.deepest);
    if (depth !== cut.depth) return `${cut.depth} cards were cut, and the words come to ${depth}`;
  }
  return "";
}

/** Every card that one saw lay where the cut deck had it. @param {Floor.Proof} proof */
function misdealt(proof) {
  const at = Object.fromEntries(proof.openings.map((one) => [one.position, one.card]));
  const turned = proof.cuts.reduce((sum, cut) => sum + cut.depth, proof.skipped);
  const wrong = proof.dealt.findIndex((one, index) => one.card && at[(turned + index) % 52] !== one.card);
  return wrong < 0 ? "" : `card ${wrong + 1}, to ${proof.dealt[wrong].place}, did not lie there after the cut`;
}

/** What the house says of this round, held against what this browser kept before its bet: each thing
    that is not so, in words; and null where this browser kept nothing.
    @param {Floor.ToldRound} story */
export function checkOwn({ proof, table }) {
  const kept = keptOf(table, proof.number);
  if (!kept.length) return null;
  const fixed = proof.cuts.find((cut) => cut.fixed && !cut.forced);
  return kept.flatMap((own) => {
    const there = proof.words.find((one) => one.seat === own.seat);
    if (own.root !== proof.root) return ["the deck is not the one that was published when you bet: its root is another"];
    if (!there) return own.sealed ? [`the word that you sealed with your bet (entry ${own.sealed}) is not on record`] : [];
    if (there.seal !== own.seal) return [`another word than yours was put down for seat ${own.seat}`];
    if (fixed && (fixed.lowest !== own.lowest || fixed.deepest !== own.deepest)) return ["the deck was cut within other depths than were published"];
    if (there.word === own.word && (!fixed || fixed.seats.includes(own.seat))) return [];
    if (own.told) return [`the house took your word (entry ${own.told}) and left it out of the cut`];
    return fixed?.withheld.includes(own.seat) ? [`your word did not get to the house in ${fixed.seconds} seconds and was left out`] : ["your word is not in the cut"];
  });
}

/** Whose words cut the deck, and what that proves. @param {Floor.Proof} proof */
function cutWords({ cuts, words, dealt }) {
  const told = words.some((one) => one.word !== null);
  const lines = cuts.map((cut) => {
    if (!cut.fixed || cut.forced) return [`${cut.depth} cards, by ${cut.by}`, "yes"];
    if (!cut.seats.length) return [`${cut.depth} cards. The house's own word alone cut this deck: that proves nothing`, "no"];
    return [`${cut.depth} cards, by the words of the house and of ${seats(cut.seats)}`, "yes"];
  });
  for (const cut of cuts) if (cut.withheld.length) lines.push([`${seats(cut.withheld)} withheld the word that was sealed with the bet`, "no"]);
  if (!dealt.length && (told || cuts.some((cut) => cut.fixed))) lines.push(["Not dealt, although the house could know where the deck was cut", "no"]);
  return make("ul", { class: "checks" }, ...lines.map(([line, holds]) => make("li", { "data-holds": holds }, line)));
}

/** @param {Floor.ToldRound} story */
async function verdict(story, place) {
  const wrong = await checkHere(story).catch((problem) => problem.message);
  const own = checkOwn(story);
  const found = [...(wrong ? [wrong] : []), ...(own ?? [])];
  place.dataset.holds = found.length ? "no" : "yes";
  if (found.length) place.replaceChildren(make("b", {}, "This round is NOT as it should be: "), `${found.join("; ")}.`);
  else if (own) place.textContent = "Your own word is in this cut: root, word and depth agree with what this browser kept before you bet.";
  else place.textContent = `Your browser hashed ${story.proof.openings.length} cards and the cut itself: all agrees. It kept no word of your own for this round.`;
}

/** @param {any} place @param {Floor.ToldRound} story */
export function drawProof(place, story) {
  const { proof } = story;
  if (!proof) { place.replaceChildren(make("p", { class: "panel-words" }, "This round was dealt with physical cards; there is no commitment to check.")); return; }
  const checks = make("ul", { class: "checks" }, ...proof.checks.map((check) => make("li", { "data-holds": check.holds ? "yes" : "no" }, check.what, check.found.length ? make("small", {}, check.found.join("; ")) : null)));
  const own = make("p", { class: "proof-verdict", id: "own-proof", role: "status" }, "Your browser checks it…");
  const button = make("button", { class: "button", type: "button", onclick: () => verdict(story, own) }, "Check it in this browser again");
  place.replaceChildren(own, checks, make("dl", { class: "facts" }, ...fact("Commitment", `no. ${proof.number}`), ...fact("Root", make("code", {}, proof.root)), ...fact("Cut", cutWords(proof)), ...fact("Cards opened to you", String(proof.openings.length)), ...fact("Evidence", make("code", {}, story.evidence))), button);
  verdict(story, own);
}
