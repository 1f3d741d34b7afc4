/* Physical cards are reported by tapping them, in the order in which they leave the shoe. */
import { cardName, SUIT_PATHS } from "./cards.js";
import { byId, label, make, svg } from "./draw.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const HOWS = [["dealt", "dealt"], ["face_up", "found face up"], ["drawn_in_error", "drawn in error"], ["instead", "instead of the last one"]];
const tapped = { round: "", cards: new Set(), last: "", told: null };

function build(place, onCard) {
  const how = make("div", { class: "how-dealt", role: "radiogroup", "aria-label": "How the card came" }, ...HOWS.map(([value, words], at) =>
    make("label", {}, make("input", { type: "radio", name: "how", value, checked: at === 0 }), make("span", {}, words))));
  const grid = make("div", { class: "report-grid" });
  for (const suit of "shdc") {
    for (const rank of [...RANKS].reverse()) {
      const code = rank + suit;
      const button = make("button", { class: `report-card suit-${suit}`, type: "button", "data-card": code, onclick: () => onCard(code, place.querySelector('[name="how"]:checked').value) },
        make("b", {}, rank === "T" ? "10" : rank), svg("0 0 100 100", `<path class="ink" d="${SUIT_PATHS[suit]}"/>`, "report-suit"));
      label(button, cardName(code));
      grid.append(button);
    }
  }
  const mending = make("p", { class: "panel-words", id: "picker-mends", hidden: true }, "A card told wrong? The floor puts it right, also now: supervisor’s bench, “Put a misreported card right”.");
  place.replaceChildren(how, mending, grid);
}

/** A card as the engine counts it. */
export const cardNumber = (code) => RANKS.indexOf(code[0]) * 4 + SUITS.indexOf(code[1]);

/** @param {Floor.TableFrame} frame @param {any} report */
export function drawReport(frame, report) {
  const told = frame.console?.reports;
  byId("picker").hidden = !told?.place || !frame.console.on_duty;
  if (byId("picker").hidden) return;
  tapped.told = told;
  const round = `${frame.table} ${frame.round_number}`;
  if (tapped.round !== round || !told.done) { tapped.round = round; tapped.cards.clear(); }
  const where = /^\d+$/.test(told.place) ? `seat ${told.place}` : `the ${told.place.replaceAll("_", " ")}`;
  byId("picker-title").textContent = `Card ${told.done + 1} of ${told.of}: to ${where}`;
  const place = byId("picker-cards");
  if (!place.firstChild) {
    build(place, async (code, how) => {
      if (await report(actionFor(code, how))) { remember(code, how); mark(place); }
      place.querySelector('[value="dealt"]').checked = true;
    });
  }
  mark(place);
}

function actionFor(code, how) {
  const card = cardNumber(code);
  return how === "instead" ? { do: "correct_card", ...tapped.told.last, card, reason: "another card was tapped" } : { do: "report_card", card, how };
}

function remember(code, how) {
  if (how === "instead") tapped.cards.delete(tapped.last);
  tapped.cards.add(code);
  tapped.last = code;
}

function mark(place) {
  const instead = place.querySelector('[value="instead"]');
  instead.disabled = !tapped.told.last;
  instead.parentElement.hidden = !tapped.told.mends;
  byId("picker-mends").hidden = tapped.told.mends;
  for (const button of place.querySelectorAll(".report-card")) button.disabled = tapped.cards.has(button.dataset.card);
}
