"""Pieces that the prompts of several task types are put together from."""


def one_line(text: str) -> str:
    """A text as one line of a prompt, where a line break would look like the next entry."""
    return " ".join(text.split())


def labelled(**texts: str) -> str:
    """A line `Name: text` for each text there is."""
    return "\n".join(f"{name}: {one_line(text)}" for name, text in texts.items() if text)
