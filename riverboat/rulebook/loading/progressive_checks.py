"""The progressive: schedules, hands that win, steps and keys, the meter and envy."""

from riverboat.core.hand_kinds import FIVE_CARD
from riverboat.core.money import is_multiple
from riverboat.rulebook.book import PROGRESSIVE, Rulebook
from riverboat.rulebook.loading.conform import Found
from riverboat.rulebook.loading.rule_checks import in_order, once, repeated
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


def _schedules(book: Rulebook, progressive: Progressive) -> Found:
    offer = book.offer(PROGRESSIVE)
    offered = set(offer.paytables if offer is not None else ())
    for name, schedule in named(progressive.schedules):
        where = f"progressive.schedules.{name}"
        if schedule.paytable not in offered:
            yield where, f"{schedule.paytable!r} is not among the side bet's pay tables"
        else:
            yield from _shown(where, schedule, book.tables)
        yield from _envy_table(where, schedule, book.tables.get(schedule.envy))
        yield from _amounts(where, schedule, progressive)
    for name in sorted(offered - {schedule.paytable for schedule in progressive.schedules}):
        yield "progressive.schedules", f"{name!r} is offered but has no schedule"
    pairs = [(schedule.paytable, schedule.wager) for schedule in progressive.schedules]
    for (name, wager), times in repeated(pairs):
        where = f"progressive.schedules.{name}"
        yield where, f"stands {times} times with a wager of {wager}; once is right"


def _envy_table(where: str, schedule: Schedule, envy: PayTable | None) -> Found:
    if envy is None or envy.bet != "envy":
        yield f"{where}.envy", f"there is no envy table {schedule.envy!r}"
    elif not envy.playable:
        yield f"{where}.envy", f"{schedule.envy!r} is struck: it is kept for analysis only"
    elif envy.per_wager != schedule.wager:
        yield f"{where}.wager", f"{schedule.envy!r} is for a wager of {envy.per_wager}"


def _shown(where: str, schedule: Schedule, tables: dict[str, PayTable]) -> Found:
    """A placard says what its pay table pays, and a pay table prints the schedule's wager."""
    table = tables.get(schedule.paytable)
    printed = "" if table is None or table.wager_printed is None else table.wager_printed
    amount = printed.replace(",", "")
    if any(map(str.isdigit, amount)) and amount not in _spellings(schedule.wager):
        yield f"{where}.wager", f"{schedule.paytable!r} prints {printed}, which is right"
    placard = tables.get(schedule.placard)
    if schedule.placard and (placard is None or placard.bet != "placard"):
        yield f"{where}.placard", f"there is no placard {schedule.placard!r}"
    elif placard is not None and not placard.playable:
        yield f"{where}.placard", f"{schedule.placard!r} is struck: it is kept for analysis only"
    elif placard is not None and table is not None:
        paid = {hand: line.pays for line in table.lines for hand in line.hands}
        for hand, pays in [(hand, line.pays) for line in placard.lines for hand in line.hands]:
            if pays != paid.get(hand):
                right = f"what {schedule.paytable!r} pays is right"
                text = f"{schedule.placard!r} shows {pays.words} for {hand}; {right}"
                yield f"{where}.placard", text


def _spellings(amount: Dollars) -> tuple[str, ...]:
    """An amount as documents print it, separators aside."""
    plain = str(amount).replace(",", "")
    return (plain, plain.removeprefix("$"), f"{plain}.00", f"{plain}.00".removeprefix("$"))


def _amounts(where: str, schedule: Schedule, progressive: Progressive) -> Found:
    if schedule.wager == 0:
        yield f"{where}.wager", "$0 is no wager; more is right"
    meter = progressive.meter
    least = max([Dollars(1), *(m for m in (meter.minimum_initial, meter.minimum_reset) if m)])
    if schedule.seed < least:
        yield f"{where}.seed", f"{schedule.seed} is too little; at least {least} is right"


def _unused(book: Rulebook, progressive: Progressive) -> Found:
    """Envy tables and placards that no schedule names would never be paid or shown."""
    named = {name for s in progressive.schedules for name in (s.envy, s.placard)}
    for table in book.paytables:
        if table.bet in ("envy", "placard") and table.playable and table.id not in named:
            yield f"paytables.{table.id}", "no schedule names it; name it or strike it"


def _scaling(book: Rulebook, progressive: Progressive) -> Found:
    scaling, where = progressive.scaling, "progressive.scaling"
    wagers = dict.fromkeys(schedule.wager for schedule in progressive.schedules)
    right = ", ".join(map(str, wagers))
    for key in ("basis_wager", "strict_wager"):
        wager = getattr(scaling, key)
        if wager is not None and wager not in wagers:
            yield f"{where}.{key}", f"no schedule is for {wager}; one of {right} is right"
    envy, seed = ("proportional",) * 2 if scaling.allowed else ("printed_only", "as_stated")
    allowed = "allowed" if scaling.allowed else "not allowed"
    if scaling.envy != envy:
        yield f"{where}.envy", f"{envy} is right where other wagers are {allowed}"
    if scaling.seed != seed:
        yield f"{where}.seed", f"{seed} is right where other wagers are {allowed}"
    if scaling.allowed:
        yield from _whole_cents(book, progressive)
    option = book.options.get("progressive_wager")
    choices = option.choices if isinstance(option, Money) else tuple(wagers)
    if not scaling.allowed and (not choices or set(choices) - wagers.keys()):
        text = f"no other wager is allowed; choices among {right} are"
        yield "options.progressive_wager.choices", text


def _whole_cents(book: Rulebook, progressive: Progressive) -> Found:
    """In proportion to any wager, seed and envy come out in whole cents."""
    basis = progressive.scaling.basis_wager
    for name, schedule in named(progressive.schedules):
        where, wager = f"progressive.schedules.{name}", schedule.wager
        if basis == wager and basis and not is_multiple(schedule.seed, basis):
            yield f"{where}.seed", f"{schedule.seed} is no multiple of the wager, {basis}"
        envy = book.tables.get(schedule.envy)
        for line in envy.lines if envy is not None else ():
            if wager and not is_multiple(line.pays.amount, wager):
                yield f"{where}.envy", f"{line.pays.words} is no multiple of the wager, {wager}"


def _seed_option(book: Rulebook, progressive: Progressive) -> Found:
    """What an operator may choose as seed is what a meter can be reset to."""
    seed, least = book.options.get("seed"), progressive.meter.minimum_reset
    if isinstance(seed, Money) and least is not None:
        lowest = seed.default or least if seed.fixed else seed.minimum or Dollars(0)
        if lowest < least:
            yield "options.seed.minimum", f"{lowest} is too little; {least} is right"


def _winning(book: Rulebook, progressive: Progressive) -> Found:
    """The lowest hand that wins is the lowest that the tables pay."""
    for table in book.paytables:
        lowest = ["no hand", *_paid_for(table)][-1]
        if table.bet == PROGRESSIVE and table.playable and lowest != progressive.winning.lowest:
            yield "progressive.winning.lowest", f"the lowest that {table.id} pays is {lowest}"


def _paid_for(table: PayTable) -> list[str]:
    """The hands that a table pays for, from the highest."""
    paid = {hand for line in table.lines if line.pays.wins for hand in line.hands}
    return [hand for hand in FIVE_CARD if hand in paid]


def _envy(book: Rulebook, progressive: Progressive) -> Found:
    hands = progressive.envy.hands
    for schedule in progressive.schedules:
        table = book.tables.get(schedule.envy)
        if table is not None and table.bet == "envy" and set(hands) != set(_paid_for(table)):
            right = ", ".join(_paid_for(table)) or "no hand"
            yield "progressive.envy.hands", f"{schedule.envy} pays for {right}; so name them"
    if not hands:
        yield "progressive.envy.hands", "is empty; there is no envy bonus for no hand"


def _keys(book: Rulebook, progressive: Progressive) -> Found:
    """The lock comes after what closes the bets; its chips are taken then."""
    closes, keypad = book.betting_closes.at, progressive.keys.keypad
    right = "no_more_bets" if closes == "no_more_bets" else "all_bets_placed"
    if progressive.lock.after != right:
        yield "progressive.lock.after", f"betting closes at {closes}; {right} is right"
    for key in [key for key in NEEDED_KEYS if key not in keypad]:
        yield "progressive.keys.keypad", f"{key} is pressed in every game; name it"
    if progressive.keys.key_switch != ("J_POT" in keypad):
        yield "progressive.keys.key_switch", "the key switch and J_POT go together"
    if "locked" not in progressive.sensor.lights:
        yield "progressive.sensor.lights", "a locked wager is lit; name locked"


def _kept_hands(book: Rulebook, progressive: Progressive) -> Found:
    """Cards that stay until a payment is documented are those that an envy bonus is paid for."""
    kept, documented = "kept_until_documented_if_paid_off_tray", progressive.payment
    where, trigger = "progressive.envy.trigger_hand", progressive.envy.trigger_hand
    if documented.cards_until_documented and trigger == "not_mentioned":
        yield where, f"payment.cards_until_documented is true; {kept} is right"
    if not documented.cards_until_documented and trigger == kept:
        yield where, "payment.cards_until_documented keeps the cards; set it to true"


def _steps(book: Rulebook, progressive: Progressive) -> Found:
    where = "progressive.steps"
    steps = [step.step for step in progressive.steps]
    yield from once(where, steps)
    for name in [name for name in NEEDED_STEPS if name not in steps]:
        yield where, f"{name} is missing; no award is made without it"
    for name in KEY_STEPS:
        if progressive.keys.key_switch and name not in steps:
            yield where, f"{name}: with a key switch it is needed"
        elif not progressive.keys.key_switch and name in steps:
            yield f"{where}.{name}", f"{name}: without a key switch it cannot be"
    yield from in_order(where, [name for name in steps if name in IN_ORDER], IN_ORDER)
    for step in progressive.steps:
        if step.step == "pay" and step.awards != "all":
            yield f"{where}.pay.awards", "every award is paid; all is right"
        if step.step == "adjust_meter" and step.awards != "meter":
            yield f"{where}.adjust_meter.awards", "only such awards move it; meter is right"


def _meter(book: Rulebook, progressive: Progressive) -> Found:
    """An award is fixed at a step that exists, before the meter moves and is adjusted."""
    meter, steps = progressive.meter, [step.step for step in progressive.steps]
    fixed, moves = FIXED_AT[meter.award_fixed_at], MOVES_AT[meter.moves_at]
    if fixed not in steps:
        yield "progressive.meter.award_fixed_at", f"there is no step {fixed}"
    if moves not in steps:
        yield "progressive.meter.moves_at", f"there is no step {moves}"
    if fixed in steps and moves in steps and steps.index(fixed) > steps.index(moves):
        yield "progressive.meter.moves_at", "the meter moves once the award is fixed"
    adjusted = steps.index("adjust_meter") if "adjust_meter" in steps else len(steps)
    if moves in steps and adjusted < steps.index(moves):
        yield "progressive.steps.adjust_meter", f"the meter moves at {moves}, before it"


def progressive_misfits(book: Rulebook) -> Found:
    """A progressive that no system could run, or that pays other than its tables say."""
    on_money = (_schedules, _unused, _scaling, _seed_option, _winning, _envy)
    for check in (*on_money, _kept_hands, _keys, _steps, _meter):
        if book.progressive is not None:
            yield from check(book, book.progressive)
