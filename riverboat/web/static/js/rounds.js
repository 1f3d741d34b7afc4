/* Finished rounds, newest first: one's own, or a table's for the house. */
import { get, tellRefusal } from "./ask.js";
import { byId, make } from "./draw.js";
import { signed } from "./money.js";
import { whenElement } from "./when.js";

const list = byId("round-list");
const plays = list.dataset.plays === "yes";

/** @param {Floor.RoundLine} one @param {Floor.Me} me */
function line(one, me) {
  const played = plays && one.dealer !== me.name;
  const own = played ? one.seats.filter((seat) => seat.name === me.name) : one.seats;
  const net = own.reduce((sum, seat) => sum + seat.net_cents, 0);
  const how = one.void ? "void" : !played ? "house" : net > 0 ? "won" : net < 0 ? "lost" : "even";
  const people = plays && !played ? "you dealt" : plays ? `seat ${own.map((seat) => seat.seat).join(", ")}` : one.seats.map((seat) => `${seat.name || `seat ${seat.seat}`} ${signed(seat.net_cents)}`).join(" · ");
  return make("li", {}, make("a", { class: "round-one", href: `/rounds/${encodeURIComponent(one.table)}/${one.round}` },
    make("b", {}, `Round ${one.round}`),
    make("span", { class: "round-where" }, plays && one.own ? "your own table" : one.table),
    whenElement(one.at),
    make("span", { class: "round-people" }, people),
    make("strong", { "data-how": how }, one.void ? "void" : played ? (net === 0 ? "even" : signed(net)) : `house ${signed(-net)}`)));
}

/** @param {string} query @param {Floor.Me} me */
async function show(query, me) {
  const { rounds } = await get(`/api/rounds?most=100${query}`);
  byId("no-rounds").hidden = rounds.length > 0;
  list.replaceChildren(...rounds.map((one) => line(one, me)));
}

async function open() {
  const me = await get("/api/me");
  if (plays) { await show("", me); return; }
  const { tables } = await get("/api/tables");
  const choose = byId("of-table");
  const wanted = new URLSearchParams(location.search).get("table");
  choose.replaceChildren(...tables.map((one) => make("option", { value: one.table }, one.table)));
  if (wanted && tables.some((one) => one.table === wanted)) choose.value = wanted;
  choose.addEventListener("change", () => show(`&table=${encodeURIComponent(choose.value)}`, me).catch(tellRefusal));
  await show(`&table=${encodeURIComponent(choose.value)}`, me);
}

open().catch(tellRefusal);
