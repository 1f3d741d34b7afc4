/* The hashes of docs/fairness.md, made in this browser. */
const encoder = new TextEncoder();

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

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

/** H of the page on fairness: texts as they are, hashes and words as their bytes. */
export async function hashed(...fields) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", framed(...fields))));
}

/** Browsers hash on secure pages only: https, or this machine. */
export const canHash = () => Boolean(globalThis.crypto?.subtle);

/** @param {string} root @param {number} seat @param {string} word */
export const sealOf = (root, seat, word) => hashed("riverboat player word v1", unhex(root), String(seat), unhex(word));

/** How deep the words cut: the house's, and each seat's by the number of the seat.
    @param {string} root @param {string} house @param {{ seat: number, word: string }[]} words
    @param {number} lowest @param {number} deepest */
export async function depthOf(root, house, words, lowest, deepest) {
  const told = [...words].sort((a, b) => a.seat - b.seat).flatMap(({ seat, word }) => [String(seat), unhex(word)]);
  const mixed = await hashed("riverboat cut v2", unhex(root), unhex(house), ...told);
  return lowest + Number((BigInt(`0x${mixed}`) * BigInt(deepest - lowest + 1)) >> 256n);
}
