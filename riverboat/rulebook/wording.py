"""Values in words that people read: yes and no, lists with commas, amounts with a dollar sign."""

from riverboat.rulebook.values import Dollars, Pays, Percent


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
        case dict():
            return "; ".join(f"with {say(key)}: {say(item)}" for key, item in value.items())
    return str(value).replace("_", " ")
