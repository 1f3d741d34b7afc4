/* Counting the stub: where its number is not right, the cards of every seat and place are counted too. */
import { make } from "./draw.js";

const PLACES = { community: "Community", box: "Six-card box", dealer: "Dealer’s hand" };

/** Fields for every place with its right number; `wrong` are those that have another. */
export function placeCounts(counts) {
  const inputs = Object.entries(counts).map(([place, right]) => [place, right, make("input", { type: "number", inputmode: "numeric", min: 0, max: 60, value: right, id: `count-${place}` })]);
  const mark = () => { for (const [, right, input] of inputs) input.closest("label").dataset.wrong = Number(input.value) === right ? "no" : "yes"; };
  const fields = inputs.map(([place, right, input]) => make("label", { for: input.id, oninput: mark }, make("span", {}, PLACES[place] ?? `Seat ${place}`), input, make("small", {}, `should be ${right}`)));
  const element = make("details", { class: "place-counts" }, make("summary", {}, "Not right? Count every seat and place"), make("div", { class: "place-fields" }, ...fields));
  const wrong = () => Object.fromEntries(inputs.filter(([, right, input]) => Number(input.value) !== right).map(([place, , input]) => [place, Number(input.value)]));
  return { element, wrong };
}
