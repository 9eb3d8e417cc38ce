"""Lists and counts in the words of the report."""

MAX_LISTED = 5


def listed(items: "list[str]") -> str:
    """The first few of ``items``, and how many more there are."""
    more = len(items) - MAX_LISTED
    return ", ".join(items[:MAX_LISTED]) + (f" and {more} more" if more > 0 else "")


def counted(count: int, one: str, many: str) -> str:
    """``count`` with the noun in its number."""
    return f"{count} {one if count == 1 else many}"


def joined_words(words: "list[str]") -> str:
    """The words as an enumeration."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
