/* One pay line, pulled up and down: a side bet is a sum, the base game is solved again. */
import { get, sentence } from "./ask.js";
import { byId, make } from "./draw.js";
import { betName, number, percent } from "./edges.js";

const PAUSE = 220;
const FOLDED = "folded";
const LADDER = { lose: -1, push: 0 };
const ODDS = /^(\d+) to (\d+)$/;
const state = { turn: 0, waiting: 0 };

/** Odds as the slider has them: 3 per 2 for "3 to 2"; a push is 0 and a loss -1, whatever they are per. */
function step(pays) {
  const odds = ODDS.exec(pays.replaceAll(",", ""));
  return { to: odds ? Number(odds[1]) : LADDER[pays] ?? null, per: odds ? Number(odds[2]) : 1 };
}
const wordsOf = (to, per) => (to === -1 ? "loses" : to === 0 ? "pushes" : `pays ${to.toLocaleString("en-US")} to ${per}`);
const worth = (to, per) => (to < 0 ? -1 : to / per);

/** What can be changed: lines that pay odds, push or lose; hands that a fold has lost are no line of a table.
    @param {{ against: any, bets: Floor.BetFigures[], tables: Floor.TableToCompare[] }} given */
function choices({ against, bets, tables }) {
  /** @type {{ bet: string, id: string, edge: number, lines: { n: number, hand: string, to: number, per: number, part?: number }[] }[]} */
  const found = [];
  const base = bets.find((one) => one.bet === "base");
  const printed = tables.find((one) => one.bet === "base");
  if (against === "paytable" && base && printed) found.push({ bet: "base", id: printed.id, edge: base.house_edge, lines: printed.lines.map((line, n) => ({ n, hand: line.hand, ...step(line.pays) })) });
  for (const one of bets) {
    if (!one.lines || one.status === "struck" || one.bet === "progressive") continue;
    found.push({ bet: one.bet, id: one.paytable, edge: one.house_edge, lines: one.lines.filter((line) => line.hand !== FOLDED).map((line, n) => ({ n, hand: line.hand, ...step(line.pays), part: number(line.probability) })) });
  }
  return found;
}

export function wireWhatIf(about) {
  const every = choices(about);
  const [bet, line, slider] = ["if-bet", "if-line", "if-to"].map(byId);
  bet.replaceChildren(...every.map((one, n) => make("option", { value: n }, `${betName(one.bet, about.labels)} (${one.id})`)));
  const now = () => { const one = every[Number(bet.value)]; return { one, at: one.lines[Number(line.value)] }; };
  const lines = () => {
    const { lines: listed } = every[Number(bet.value)];
    const first = listed.find((one) => one.to !== null && one.to > 1 && one.to < 20) ?? listed[0];
    line.replaceChildren(...listed.filter((one) => one.to !== null).map((one) => make("option", { value: one.n, selected: one === first }, `${one.hand}, ${wordsOf(one.to, one.per)}`)));
    scale();
  };
  const scale = () => {
    const { at } = now();
    slider.max = String(Math.max(10, Math.ceil(at.to * 2.5)));
    slider.value = String(at.to);
    ask();
  };
  const ask = () => {
    const { one, at } = now();
    const to = Number(slider.value);
    byId("if-pays").textContent = `${at.hand} ${wordsOf(to, at.per)}`;
    slider.setAttribute("aria-valuetext", wordsOf(to, at.per));
    clearTimeout(state.waiting);
    state.turn += 1;
    if (one.bet !== "base" || to === at.to) { show(one, one.bet === "base" ? one.edge : one.edge - at.part * (worth(to, at.per) - worth(at.to, at.per))); return; }
    byId("if-words").textContent = "Solving the game again…";
    const { turn } = state;
    state.waiting = setTimeout(async () => {
      try {
        const said = await get(`/api/odds/${about.rulebook}/what-if?line=${at.n}&to_one=${to}&per=${at.per}`);
        if (turn === state.turn) show(one, said.house_edge);
      } catch (problem) {
        if (turn === state.turn) byId("if-words").textContent = sentence(problem.message);
      }
    }, PAUSE);
  };
  bet.addEventListener("change", lines);
  line.addEventListener("change", scale);
  slider.addEventListener("input", ask);
  lines();
}

function show(one, edge) {
  const figure = byId("if-edge");
  figure.textContent = percent(Math.abs(edge));
  figure.dataset.whose = edge < 0 ? "player" : "house";
  const moved = edge - one.edge;
  const change = Math.abs(moved) < 1e-9 ? "as it is printed" : `${percent(Math.abs(moved))} ${moved > 0 ? "more" : "less"} than printed (${percent(one.edge)})`;
  byId("if-words").textContent = `${edge < 0 ? "the player gains" : "the house keeps"}, ${change}`;
}
