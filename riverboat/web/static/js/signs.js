/* The wall of signs. */
import { get, tellRefusal } from "./ask.js";
import { byId, say } from "./draw.js";
import { enter } from "./entering.js";
import { floorMeters, showMeters } from "./meter_plates.js";

try {
  await enter();
  const meters = floorMeters((await get("/api/meters")).meters);
  showMeters(byId("meters"), meters);
  if (!meters.length) say(byId("floor-words"), "No meter is in service on this floor yet.");
} catch (problem) {
  tellRefusal(problem);
}
