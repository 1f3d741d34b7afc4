/* Asking the house for something: once, however often it has to be sent. */
import { byId } from "./draw.js";

const TRIES = 5;
const PAUSE = 500;

function csrf() {
  const found = document.cookie.split("; ").find((one) => one.startsWith("riverboat-csrf="));
  return found ? found.slice("riverboat-csrf=".length) : "";
}

/** What the house refuses, with its code, its words and its clauses. */
export class Refusal extends Error {
  constructor({ code = "error", words = "Something went wrong.", cites = [] } = {}) {
    super(words);
    this.code = code;
    this.cites = cites;
  }
}

const pause = (ms) => new Promise((go) => setTimeout(go, ms));

async function send(path, options) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetch(path, { credentials: "same-origin", ...options });
    } catch {
      if (attempt === TRIES) throw new Refusal({ code: "network", words: "The floor cannot be reached; nothing is lost. Try again." });
      await pause(PAUSE * attempt);
    }
  }
}

async function answer(response) {
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(body);
  return body;
}

/**
 * @template {string} P
 * @param {P} path
 * @returns {Promise<Floor.GetAnswer<P>>}
 */
export async function get(path) {
  return answer(await send(path, { headers: { accept: "application/json" } }));
}

/**
 * @template {string} P
 * @param {P} path
 * @returns {Promise<Floor.PostAnswer<P>>}
 */
export async function post(path, body = {}) {
  return answer(await send(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-riverboat-csrf": csrf() },
    body: JSON.stringify(body),
  }));
}

export function mintId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
}

/** @type {(table: string) => `/api/tables/${string}`} */
export const tablePath = (table) => `/api/tables/${encodeURIComponent(table)}`;

/** An action at a table, under an id that is the same for every try. */
export function ask(table, action) {
  return post(`${tablePath(table)}/commands`, { id: mintId(), action });
}

let hiding = 0;

/** Say in words what was refused, where everybody finds it. */
export function tellRefusal(problem) {
  const place = byId("said");
  if (!place) return;
  const cited = problem.cites ?? [];
  const cites = cited.length ? ` (${cited.slice(0, 3).join(", ")}${cited.length > 3 ? ", …" : ""})` : "";
  place.textContent = sentence(problem.message) + cites;
  place.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { place.hidden = true; }, 7000);
}

export function sentence(words) {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
