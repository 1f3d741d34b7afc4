"""The progressive: schedules, hands that win, steps and keys, the meter and envy."""

from collections import Counter
from collections.abc import Iterator

from riverboat.core.hand_kinds import FIVE_CARD
from riverboat.core.money import divide_down, round_to_unit
from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.loading.conform import Misfit
from riverboat.rulebook.loading.rule_checks import once
from riverboat.rulebook.options import Money
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.progressive import Progressive, Schedule
from riverboat.rulebook.rules import named
from riverboat.rulebook.values import Dollars

KEY_STEPS = ("turn_key_to_jph", "press_j_pot", "turn_key_to_run")
IN_ORDER = (
    "press_hand_key", "call_supervisor", "verify_win", "turn_key_to_jph", "press_j_pot", "pay",
    "turn_key_to_run",
)  # fmt: skip
NEEDED_STEPS = ("press_hand_key", "pay", "adjust_meter")
NEEDED_KEYS = ("COIN_IN", "HAND", "GAME_OVER")
FIXED_AT = {"j_pot": "press_j_pot", "keying": "key_in_winner", "floor_validation": "verify_win"}
MOVES_AT = {"key_to_run": "turn_key_to_run", "keying": "key_in_winner", "payment": "pay"}


def progressive_misfits(book: Rulebook, progressive: Progressive) -> Iterator[Misfit]:
    """A progressive that no system could run, or that pays other than its tables say."""
    tables = {table.id: table for table in book.paytables}
    yield from _schedules(book, progressive, tables)
    yield from _unused(book, progressive)
    yield from _scaling(book, progressive, tables)
    yield from _winning(book, progressive)
    yield from _envy(progressive, tables)
    yield from _kept_hands(progressive)
    yield from _lock(book, progressive)
    yield from _keys(progressive)
    yield from _steps(progressive)
    yield from _meter(progressive)


def _schedules(
    book: Rulebook, progressive: Progressive, tables: dict[str, PayTable]
) -> Iterator[Misfit]:
    offered = {name for o in book.side_bets if o.bet == "progressive" for name in o.paytables}
    for where, schedule in _placed(progressive):
        if schedule.paytable not in offered:
            yield Misfit(where, f"{schedule.paytable!r} is not among the side bet's pay tables")
        else:
            yield from _shown(where, schedule, tables)
        yield from _envy_table(where, schedule, tables.get(schedule.envy))
        yield from _amounts(where, schedule, progressive)
    for name in sorted(offered - {schedule.paytable for schedule in progressive.schedules}):
        yield Misfit("progressive.schedules", f"{name!r} is offered but has no schedule")
    pairs = Counter((schedule.paytable, schedule.wager) for schedule in progressive.schedules)
    for (name, wager), times in pairs.items():
        if times > 1:
            where = f"progressive.schedules.{name}"
            yield Misfit(where, f"stands {times} times with a wager of {wager}; once is right")


def _placed(progressive: Progressive) -> Iterator[tuple[str, Schedule]]:
    """Each schedule with its path, which has a number where a pay table comes again."""
    for name, schedule in named(progressive.schedules):
        assert isinstance(schedule, Schedule)
        yield f"progressive.schedules.{name}", schedule


def _envy_table(where: str, schedule: Schedule, envy: PayTable | None) -> Iterator[Misfit]:
    if envy is None or envy.bet != "envy":
        yield Misfit(f"{where}.envy", f"there is no envy table {schedule.envy!r}")
    elif not envy.playable:
        yield Misfit(f"{where}.envy", f"{schedule.envy!r} is struck: it is kept for analysis only")
    elif envy.per_wager != schedule.wager:
        yield Misfit(f"{where}.wager", f"{schedule.envy!r} is for a wager of {envy.per_wager}")


def _shown(where: str, schedule: Schedule, tables: dict[str, PayTable]) -> Iterator[Misfit]:
    """A placard says what its pay table pays, and a pay table prints the schedule's wager."""
    table = tables.get(schedule.paytable)
    printed = "" if table is None or table.wager_printed is None else table.wager_printed
    amount = printed.replace(",", "")
    if any(map(str.isdigit, amount)) and amount not in _spellings(schedule.wager):
        yield Misfit(f"{where}.wager", f"{schedule.paytable!r} prints {printed}, which is right")
    placard = tables.get(schedule.placard)
    if schedule.placard and (placard is None or placard.bet != "placard"):
        yield Misfit(f"{where}.placard", f"there is no placard {schedule.placard!r}")
    elif placard is not None and not placard.playable:
        text = f"{schedule.placard!r} is struck: it is kept for analysis only"
        yield Misfit(f"{where}.placard", text)
    elif placard is not None and table is not None:
        paid = {hand: line.pays for line in table.lines for hand in line.hands}
        for line in placard.lines:
            for hand in line.hands:
                if line.pays != paid.get(hand):
                    yield Misfit(
                        f"{where}.placard",
                        f"{schedule.placard!r} shows {line.pays.words} for {hand}; what "
                        f"{schedule.paytable!r} pays is right",
                    )


def _spellings(amount: Dollars) -> tuple[str, ...]:
    """An amount as documents print it, separators aside."""
    plain = str(amount).replace(",", "")
    return (plain, plain.removeprefix("$"), f"{plain}.00", f"{plain}.00".removeprefix("$"))


def _amounts(where: str, schedule: Schedule, progressive: Progressive) -> Iterator[Misfit]:
    if schedule.wager == 0:
        yield Misfit(f"{where}.wager", "$0 is no wager; more is right")
    meter = progressive.meter
    least = max([Dollars(1), *(m for m in (meter.minimum_initial, meter.minimum_reset) if m)])
    if schedule.seed < least:
        yield Misfit(f"{where}.seed", f"{schedule.seed} is too little; at least {least} is right")


def _unused(book: Rulebook, progressive: Progressive) -> Iterator[Misfit]:
    """Envy tables and placards that no schedule names would never be paid or shown."""
    named = {name for s in progressive.schedules for name in (s.envy, s.placard)}
    for table in book.paytables:
        if table.bet in ("envy", "placard") and table.playable and table.id not in named:
            yield Misfit(f"paytables.{table.id}", "no schedule names it; name it or strike it")


def _scaling(
    book: Rulebook, progressive: Progressive, tables: dict[str, PayTable]
) -> Iterator[Misfit]:
    scaling, where = progressive.scaling, "progressive.scaling"
    wagers = [schedule.wager for schedule in progressive.schedules]
    for key, wager in (
        ("basis_wager", scaling.basis_wager),
        ("strict_wager", scaling.strict_wager),
    ):
        if wager is not None and wager not in wagers:
            right = ", ".join(map(str, dict.fromkeys(wagers)))
            yield Misfit(f"{where}.{key}", f"no schedule is for {wager}; one of {right} is right")
    envy, seed = ("proportional",) * 2 if scaling.allowed else ("printed_only", "as_stated")
    allowed = "allowed" if scaling.allowed else "not allowed"
    if scaling.envy != envy:
        yield Misfit(f"{where}.envy", f"{envy} is right where other wagers are {allowed}")
    if scaling.seed != seed:
        yield Misfit(f"{where}.seed", f"{seed} is right where other wagers are {allowed}")
    if scaling.allowed:
        yield from _whole_cents(progressive, tables)
    yield from _wager_option(book, progressive, wagers)


def _whole_cents(progressive: Progressive, tables: dict[str, PayTable]) -> Iterator[Misfit]:
    """In proportion to any wager, seed and envy come out in whole cents."""
    basis = progressive.scaling.basis_wager
    for where, schedule in _placed(progressive):
        if basis == schedule.wager and basis and not _divides(basis, schedule.seed):
            yield Misfit(f"{where}.seed", f"{schedule.seed} is no multiple of the wager, {basis}")
        envy = tables.get(schedule.envy)
        for line in envy.lines if envy is not None else ():
            if schedule.wager and not _divides(schedule.wager, line.pays.amount):
                yield Misfit(
                    f"{where}.envy",
                    f"{line.pays.words} is no multiple of the wager, {schedule.wager}",
                )


def _divides(unit: int, amount: int) -> bool:
    return round_to_unit(amount, unit, divide_down) == amount


def _wager_option(
    book: Rulebook, progressive: Progressive, wagers: list[Dollars]
) -> Iterator[Misfit]:
    """What an operator may choose as wager and as seed is what the schedules can serve."""
    option, where = book.options.get("progressive_wager"), "options.progressive_wager"
    if isinstance(option, Money) and not progressive.scaling.allowed:
        right = ", ".join(map(str, dict.fromkeys(wagers)))
        if not option.choices or set(option.choices) - set(wagers):
            yield Misfit(
                f"{where}.choices", f"no other wager is allowed; choices among {right} are"
            )
    seed, least = book.options.get("seed"), progressive.meter.minimum_reset
    if isinstance(seed, Money) and least is not None:
        lowest = seed.default or least if seed.fixed else seed.minimum or Dollars(0)
        if lowest < least:
            yield Misfit("options.seed.minimum", f"{lowest} is too little; {least} is right")


def _winning(book: Rulebook, progressive: Progressive) -> Iterator[Misfit]:
    """The lowest hand that wins is the lowest that the tables pay."""
    for table in book.paytables:
        if table.bet != "progressive" or not table.playable:
            continue
        paying = [hand for line in table.lines if line.pays.wins for hand in line.hands]
        ranked = [hand for hand in FIVE_CARD if hand in paying]
        if not ranked or ranked[-1] != progressive.winning.lowest:
            lowest = ranked[-1] if ranked else "no hand"
            yield Misfit(
                "progressive.winning.lowest", f"the lowest that {table.id} pays is {lowest}"
            )


def _envy(progressive: Progressive, tables: dict[str, PayTable]) -> Iterator[Misfit]:
    hands = set(progressive.envy.hands)
    for schedule in progressive.schedules:
        table = tables.get(schedule.envy)
        if table is None or table.bet != "envy":
            continue
        paid = {hand for line in table.lines if line.pays.wins for hand in line.hands}
        if hands != paid:
            right = ", ".join(hand for hand in FIVE_CARD if hand in paid) or "no hand"
            yield Misfit(
                "progressive.envy.hands", f"{schedule.envy} pays for {right}; so name them"
            )
    if not hands:
        yield Misfit("progressive.envy.hands", "is empty; there is no envy bonus for no hand")


def _keys(progressive: Progressive) -> Iterator[Misfit]:
    keypad = progressive.keys.keypad
    for key in NEEDED_KEYS:
        if key not in keypad:
            yield Misfit("progressive.keys.keypad", f"{key} is pressed in every game; name it")
    if progressive.keys.key_switch != ("J_POT" in keypad):
        yield Misfit("progressive.keys.key_switch", "the key switch and J_POT go together")
    if "locked" not in progressive.sensor.lights:
        yield Misfit("progressive.sensor.lights", "a locked wager is lit; name locked")


def _lock(book: Rulebook, progressive: Progressive) -> Iterator[Misfit]:
    """The lock comes after what closes the bets; its chips are taken then."""
    announced = book.betting_closes.at == "no_more_bets"
    right = "no_more_bets" if announced else "all_bets_placed"
    if progressive.lock.after != right:
        yield Misfit(
            "progressive.lock.after",
            f"betting closes at {book.betting_closes.at}; {right} is right",
        )


def _kept_hands(progressive: Progressive) -> Iterator[Misfit]:
    """Cards that stay until a payment is documented are those that an envy bonus is paid for."""
    kept, documented = "kept_until_documented_if_paid_off_tray", progressive.payment
    where, trigger = "progressive.envy.trigger_hand", progressive.envy.trigger_hand
    if documented.cards_until_documented and trigger == "not_mentioned":
        yield Misfit(where, f"payment.cards_until_documented is true; {kept} is right")
    if not documented.cards_until_documented and trigger == kept:
        yield Misfit(where, "payment.cards_until_documented keeps the cards; set it to true")


def _steps(progressive: Progressive) -> Iterator[Misfit]:
    where = "progressive.steps"
    steps = [step.step for step in progressive.steps]
    yield from once(where, [(step,) for step in steps])
    for name in NEEDED_STEPS:
        if name not in steps:
            yield Misfit(where, f"{name} is missing; no award is made without it")
    switch = progressive.keys.key_switch
    for name in KEY_STEPS:
        if (name in steps) != switch:
            right = (
                "with a key switch it is needed" if switch else "without a key switch it cannot be"
            )
            yield Misfit(f"{where}.{name}" if name in steps else where, f"{name}: {right}")
    placed = [name for name in steps if name in IN_ORDER]
    if placed != sorted(placed, key=IN_ORDER.index):
        right = ", ".join(name for name in IN_ORDER if name in placed)
        yield Misfit(where, f"these steps come in the order {right}")
    for step in progressive.steps:
        if step.step == "pay" and step.awards != "all":
            yield Misfit(f"{where}.pay.awards", "every award is paid; all is right")
        if step.step == "adjust_meter" and step.awards != "meter":
            yield Misfit(f"{where}.adjust_meter.awards", "only such awards move it; meter is right")


def _meter(progressive: Progressive) -> Iterator[Misfit]:
    """An award is fixed at a step that exists, before the meter moves and is adjusted."""
    meter, steps = progressive.meter, [step.step for step in progressive.steps]
    fixed, moves = FIXED_AT[meter.award_fixed_at], MOVES_AT[meter.moves_at]
    if fixed not in steps:
        yield Misfit("progressive.meter.award_fixed_at", f"there is no step {fixed}")
    if moves not in steps:
        yield Misfit("progressive.meter.moves_at", f"there is no step {moves}")
    if fixed in steps and moves in steps and steps.index(fixed) > steps.index(moves):
        yield Misfit("progressive.meter.moves_at", "the meter moves once the award is fixed")
    adjusted = steps.index("adjust_meter") if "adjust_meter" in steps else len(steps)
    if moves in steps and adjusted < steps.index(moves):
        yield Misfit("progressive.steps.adjust_meter", f"the meter moves at {moves}, before it")
