"""Numbers that commands take and tell: how argparse reads them, and dollars in words."""

from decimal import Decimal, InvalidOperation


def usd(text: str) -> Decimal:
    """An amount of dollars, not negative."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise ValueError from None
    if not amount.is_finite() or amount < 0:
        raise ValueError
    return amount


def in_usd(amount: Decimal) -> str:
    """An amount in cents; one of less than a dollar to four places, so that it is not nothing."""
    return f"{amount:.2f} USD" if amount >= 1 or not amount else f"{amount:.4f} USD"


def positive(text: str) -> int:
    """A whole number from 1."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


# How argparse calls them in "invalid … value".
usd.__name__, positive.__name__ = "USD", "number"
