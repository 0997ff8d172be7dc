"""Amounts in a currency's minor unit, without rounding."""

from decimal import Decimal

# Digits after the point where these are not two (ISO 4217).
_DIGITS = {"BHD": 3, "JOD": 3, "KWD": 3, "OMR": 3, "TND": 3, "CLP": 0, "ISK": 0, "JPY": 0, "KRW": 0}


class NotExact(ValueError):
    """An amount has more digits than its currency."""


def digits_of(currency: str) -> int:
    """How many digits a currency has after the point."""
    return _DIGITS.get(currency, 2)


def minor_units(amount: Decimal, currency: str) -> int:
    """1.05 USD as 105. NotExact where the currency has no coin for it."""
    scaled = amount.scaleb(digits_of(currency))
    if scaled != scaled.to_integral_value():
        raise NotExact(f"{amount} {currency} is no whole number of its smallest unit.")
    return int(scaled)


def whole_units(minor: int, currency: str) -> Decimal:
    """105 as 1.05 USD."""
    digits = digits_of(currency)
    return Decimal(minor).scaleb(-digits).quantize(Decimal(1).scaleb(-digits))
