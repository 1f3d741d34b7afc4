"""Values in words that people read: yes and no, lists with commas, amounts with a dollar sign."""

from riverboat.rulebook.values import Dollars, Pays, Percent


def with_article(noun: str) -> str:
    """`a manual shuffle`, `an automated shuffle`."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


# Every way to deal, as it follows `dealt` or `dealing`.
DEALT = {
    "hand": "from the hand",
    "manual_shoe": "from a manual shoe",
    "automated": "from an automated shoe or shuffler",
    "rotation": "in rotation",
    "packets": "in packets",
}


def say(value: object) -> str:
    """One value of a rule, in words."""
    match value:
        case None | "" | ():
            return "none"
        case dict() if not value:
            return "none"
        case bool():
            return "yes" if value else "no"
        case Dollars() | Percent():
            return str(value)
        case Pays():
            return value.words
        case tuple():
            return ", ".join(say(item) for item in value)
        case dict() if all(isinstance(item, Pays) for item in value.values()):
            return ", ".join(f"{say(key)} {say(item)}" for key, item in value.items())
        case dict():
            return "; ".join(f"with {say(key)}: {say(item)}" for key, item in value.items())
    return str(value).replace("_", " ")
