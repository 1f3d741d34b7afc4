/* The odds of a rulebook: edges, best play, two tables side by side, one line pulled up and down. */
import { get, sentence, tellRefusal } from "./ask.js";
import { wireComparison } from "./compare_tables.js";
import { byId, make } from "./draw.js";
import { betName, drawEdges, number, percent } from "./edges.js";
import { enter } from "./entering.js";
import { dollars } from "./money.js";
import { drawChart } from "./strategy_chart.js";
import { wireWhatIf } from "./what_if.js";

const page = byId("odds");
const { rulebook, against } = page.dataset;
const labels = JSON.parse(page.dataset.labels);

/** @param {Floor.BetFigures[]} bets */
function drawKeeps(bets) {
  const real = bets.filter((one) => one.status !== "struck");
  const struck = bets.filter((one) => one.status === "struck");
  byId("keeps-state").textContent = "Of each dollar of ante, in the long run, by the best play.";
  drawEdges(byId("keeps"), real, labels);
  byId("struck").hidden = !struck.length;
  drawEdges(byId("struck-list"), struck, labels);
}

/* What a player meets at the table: how a hand ends, how much is bet, where a jackpot turns fair. */
/** @param {Floor.BetFigures[]} bets */
function drawFacts(bets) {
  const base = bets.find((one) => one.bet === "base");
  const meters = bets.filter((one) => one.bet === "progressive" && one.status !== "struck");
  const facts = [];
  if (base) {
    facts.push(["On average bet on a hand", `${number(base.average_wager).toFixed(2)} antes`], ["Standard deviation", `${base.standard_deviation.toFixed(2)} antes`]);
  }
  for (const one of meters) {
    const which = meters.length > 1 ? `, $${Number(one.wager)} bet` : "";
    facts.push([`Jackpot at which the progressive turns fair${which}`, dollars(Math.round(Number(one.break_even_meter) * 100))]);
    facts.push([`Kept of the progressive in the long run${which}`, percent(one.long_run_house_edge, 1)]);
  }
  byId("facts").replaceChildren(...(base ? [ends(base.win_push_loss)] : []), make("dl", {}, ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])));
}

function ends(parts) {
  const bar = Object.entries(parts).map(([how, part]) => {
    const piece = make("span", { class: `end-${how}` });
    piece.style.width = percent(number(part), 3);
    return piece;
  });
  const words = Object.entries(parts).map(([how, part]) => `${how} ${percent(number(part), 1)}`).join(" · ");
  return make("figure", { class: "ends" }, make("figcaption", {}, `How a hand ends: ${words}`), make("div", { class: "end-bar", "aria-hidden": "true" }, ...bar));
}

/** @param {Floor.EasyPlay[]} plays */
function drawThumbs(plays) {
  byId("thumbs").replaceChildren(...plays.map((play) => {
    const cents = number(play.cost) * 100;
    return make("details", { class: "thumb" },
      make("summary", {}, make("span", {}, play.name), make("b", {}, cents === 0 ? "nothing" : cents < 0.01 ? "under 0.01¢" : `${cents.toFixed(2)}¢`)),
      make("ul", {}, ...play.words.map((line) => make("li", {}, sentence(line.replace(/^(\d)x /, "$1× "))))));
  }));
}

async function start() {
  byId("book").addEventListener("change", (event) => location.assign(`/odds/${event.target.value}`));
  await enter();
  const figures = get(`/api/odds/${rulebook}`);
  const strategy = get(`/api/strategy/${rulebook}`);
  const [{ bets: every }, tables] = await Promise.all([figures, get(`/odds/${rulebook}/tables`)]);
  const bets = every.filter((one) => one.bet === "base" || tables.some((table) => table.id === one.paytable));
  drawKeeps(bets);
  drawFacts(bets);
  wireComparison({ rulebook, labels, betName }).catch(tellRefusal);
  wireWhatIf({ rulebook, against, bets, tables, labels });
  const { hands, plays } = await strategy;
  drawChart({ chart: byId("chart"), says: byId("chart-says"), state: byId("chart-state") }, hands, plays);
  drawThumbs(plays);
}

start().catch(tellRefusal);
