"""Numbers in the form of the page's language."""

from django.utils.formats import number_format


def in_figures(value: float) -> str:
    """As short as it goes: 50, 62.5, in German 62,5."""
    return number_format(f"{value:g}")
