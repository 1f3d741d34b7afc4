/* House edges as bars, largest share of the scale for the dearest bet. */
import { make } from "./draw.js";

const FINE = 3;

export function percent(part, digits = FINE) {
  return `${(part * 100).toFixed(digits)}%`;
}

/** A fraction "a/b" as a number, for showing only. */
export function number(text) {
  const [above, below = "1"] = String(text).split("/");
  return Number(above) / Number(below);
}

export function betName(bet, labels) {
  return labels[bet] ?? (bet === "base" ? "the base game" : bet.replaceAll("_", " "));
}

/** One bar for each bet, with the pay table it goes by.
    @param {any} place @param {(Floor.Edge | Floor.BetFigures)[]} edges @param {Record<string, string>} labels */
export function drawEdges(place, edges, labels) {
  const most = Math.max(0.05, ...edges.map((one) => Math.abs(one.house_edge)));
  place.replaceChildren(make("ul", { class: "edge-list" }, ...edges.map((one) => {
    const bar = make("span", { class: `edge-bar${one.house_edge < 0 ? " for-player" : ""}` });
    bar.style.width = `${Math.max(1.5, (Math.abs(one.house_edge) / most) * 100)}%`;
    const extra = [`pays by ${one.paytable}`, `wins ${percent(number(one.hit_frequency), 1)} of hands`];
    if (one.element_of_risk !== null && one.element_of_risk !== undefined) extra.push(`${percent(one.element_of_risk)} of all that is bet`);
    if (one.bet === "progressive") extra.push("with the meter at its seed");
    return make("li", { class: "edge" },
      make("span", { class: "edge-name" }, betName(one.bet, labels) + (one.bet === "progressive" && "wager" in one && one.wager ? `, $${Number(one.wager)} bet` : "")),
      make("b", { class: "edge-figure" }, percent(one.house_edge)),
      make("span", { class: "edge-track", "aria-hidden": "true" }, bar),
      make("small", {}, extra.join(" · ")));
  })));
}
