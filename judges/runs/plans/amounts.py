"""Numbers in commands: types for argparse, and amounts of USD as text."""

from decimal import Decimal, InvalidOperation


def usd(text: str) -> Decimal:
    """Parse an amount of USD that is not negative."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise ValueError from None
    if not amount.is_finite() or amount < 0:
        raise ValueError
    return amount


def in_usd(amount: Decimal) -> str:
    """An amount with two decimals; below 1 USD with four, so that cents do not become 0.00."""
    return f"{amount:.2f} USD" if amount >= 1 or not amount else f"{amount:.4f} USD"


def positive(text: str) -> int:
    """Parse a whole number from 1 on."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


# argparse shows these names in "invalid … value".
usd.__name__, positive.__name__ = "USD", "number"
