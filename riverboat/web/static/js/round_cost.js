/* On the page of a round of one's own: what each decision cost, from what one knew then. */
import { askCosts, costList } from "./coach.js";
import { byId, make } from "./draw.js";

const { table, number } = byId("replay").dataset;

try {
  const seats = await askCosts(table, number);
  const lists = seats.map((seat) => make("article", {}, seats.length > 1 ? make("h3", {}, `Seat ${seat.seat}`) : null, ...costList(seat)));
  byId("cost").replaceChildren(...lists);
} catch (problem) {
  byId("cost").closest("section").hidden = problem.code === "http.notfound";
  byId("cost").replaceChildren(make("p", { class: "panel-words" }, problem.message));
}
