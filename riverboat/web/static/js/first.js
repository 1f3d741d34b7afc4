/* The first screen: a visitor is let in, and a hand is on its way before anything is asked. */
import { post, tellRefusal } from "./ask.js";
import { byId } from "./draw.js";
import { openSeat } from "./seat.js";

byId("waits").textContent = "A hand is being dealt to you: $10 of your play money is the ante.";
try {
  const { table } = await post("/api/first-hand");
  await openSeat(table, true);
} catch (problem) {
  tellRefusal(problem);
}
