/* The supervisor's key switch, drawn: RUN and JPH, a key that turns, and the J-pot button. */
import { label, make, svg } from "./draw.js";
import { isOffered } from "./offers.js";

const PLATE = '<rect class="ks-plate" x="2" y="2" width="196" height="176" rx="14"/>'
  + '<circle class="ks-screw" cx="16" cy="16" r="4"/><circle class="ks-screw" cx="184" cy="16" r="4"/><circle class="ks-screw" cx="16" cy="164" r="4"/><circle class="ks-screw" cx="184" cy="164" r="4"/>'
  + '<text class="ks-word ks-run" x="34" y="36" text-anchor="middle">RUN</text> <text class="ks-word ks-jph" x="166" y="36" text-anchor="middle">JPH</text>'
  + '<path class="ks-arc" d="M66 58A60 60 0 0 1 134 58"/><circle class="ks-ring" cx="100" cy="108" r="52"/><circle class="ks-barrel" cx="100" cy="108" r="38"/>';
const KEY = '<g class="ks-key"><rect class="ks-blade" x="95" y="70" width="10" height="46" rx="4"/><path class="ks-bow" d="M100 34a18 18 0 0 1 8 34l-2 8h-12l-2-8a18 18 0 0 1 8-34z"/><circle class="ks-hole" cx="100" cy="48" r="5"/></g>';

/** A switch that shows where the key stands; `onTurn` asks for the other position. */
export function keySwitch(onTurn, onPot) {
  const lock = make("button", { class: "key-switch", type: "button" }, svg("0 0 200 180", PLATE + KEY, "ks-art"));
  const pot = make("button", { class: "j-pot", type: "button", "aria-label": "J-pot: record the win and fix its amount", onclick: onPot }, make("span", {}, "J-pot"));
  const element = make("div", { class: "switch-box" }, lock, pot);
  lock.addEventListener("click", () => onTurn(element.dataset.at === "JPH" ? "RUN" : "JPH"));
  return element;
}

/** @param {any} element @param {{ at: string, next: any, offers: Floor.Offered[] }} given */
export function showSwitch(element, { at, next, offers }) {
  const [lock, pot] = element.children;
  const to = at === "JPH" ? "RUN" : "JPH";
  element.dataset.at = at;
  lock.disabled = !isOffered(offers, { do: "turn_key", to });
  pot.disabled = !isOffered(offers, { do: "press_j_pot" });
  label(lock, `RUN JPH key switch: it stands at ${at}; turn it to ${to}`);
  lock.classList.toggle("next", next?.do === "turn_key");
  pot.classList.toggle("next", next?.do === "press_j_pot");
}
