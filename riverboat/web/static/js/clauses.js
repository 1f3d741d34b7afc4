/* Clauses: the number first, its words one tap away. */
import { make } from "./draw.js";

export const plain = (word) => String(word ?? "").replaceAll("_", " ");

const SHOWN = 3;

/** @param {string} id @param {Record<string, Floor.CitedClause>} clauses */
function one(id, clauses) {
  const clause = clauses[id];
  if (!clause) return make("span", { class: "clause" }, make("b", {}, id));
  const number = clause.number && clause.number !== id ? make("b", {}, `${clause.number}: `) : null;
  return make("details", { class: "clause" }, make("summary", {}, id), make("p", {}, number, clause.text));
}

/** All of them with their words, for whoever asked why.
    @param {string[]} ids @param {Record<string, Floor.CitedClause>} clauses */
export function citeList(ids, clauses) {
  return make("ul", { class: "cites", "aria-label": "By these clauses" }, ...ids.map((id) => {
    const clause = clauses[id];
    return make("li", {}, make("b", {}, clause?.number ? `${id} · ${clause.number}` : id), clause ? ` ${clause.text}` : "");
  }));
}

/** The first few as they are, the others behind one more tap.
    @param {string[]} cites @param {Record<string, Floor.CitedClause>} [clauses] */
export function clauseList(cites, clauses = {}) {
  if (!cites?.length) return null;
  const list = make("div", { class: "clauses", role: "group", "aria-label": "By these clauses" }, ...cites.slice(0, SHOWN).map((id) => one(id, clauses)));
  const rest = cites.slice(SHOWN);
  if (!rest.length) return list;
  const more = make("button", { class: "clause more", type: "button", onclick: () => more.replaceWith(...rest.map((id) => one(id, clauses))) }, `${rest.length} more`);
  list.append(more);
  return list;
}
