"""What the cell of a label may be, whatever its column is called."""

# A scale with more points becomes a slider.
MOST_POINTS = 21
# A label is a word or a number, not a text.
LONGEST_LABEL = 40


def is_number(text: str) -> bool:
    """Whether the text is a finite number."""
    try:
        return abs(float(text)) < float("inf")
    except ValueError:
        return False
