"""Another way to shuffle and deal while the device is out of use."""

from msgspec.structs import replace

from riverboat.errors import Refused
from riverboat.games.setup import SetupRefused, set_up
from riverboat.table.configuration import Configuration


def with_method(configuration: Configuration, dealing: str, shuffle: str) -> Configuration:
    """The same table, shuffled and dealt otherwise; with no names, as it was configured."""
    submission = configuration.submission
    choices = dict(configuration.choices)
    if dealing:
        choices["dealing"] = dealing
    own = configuration.setup.progressive
    setup = replace(set_up(configuration.setup.book, choices), progressive=own)
    return replace(configuration, setup=setup, shuffle=shuffle or submission.shuffle)


def _said(dealing: str, shuffle: str) -> str:
    return f"{dealing.replace('_', ' ')} with {shuffle} shuffling"


def must_be_marked(configuration: Configuration) -> bool:
    """Whether a device that is out of use is covered or signed before anything else is used."""
    return configuration.setup.book.irregularities.device_out_of_use.consequence != "none"


def fallback_refusal(configuration: Configuration, dealing: str, shuffle: str) -> Refused | None:
    """Why another method may not be used, if it may not."""
    rule = configuration.setup.book.irregularities.device_out_of_use
    if (dealing, shuffle) not in configuration.fallbacks:
        allowed = " or ".join(_said(*pair) for pair in configuration.fallbacks) or "none"
        text = f"dealing by {_said(dealing, shuffle)}; allowed is {allowed}"
        return Refused("device.no_such_method", text, cites=rule.cites)
    try:
        with_method(configuration, dealing, shuffle)
    except SetupRefused as refused:
        return refused
    return None
