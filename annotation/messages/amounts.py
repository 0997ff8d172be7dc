"""Amounts and shares in the form of the page's language."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def in_figures(amount: Decimal) -> str:
    """An amount of money with two decimals: 2.70, in German 2,70."""
    return number_format(amount, decimal_pos=2)


def in_percent(share: float) -> str:
    """A share as a whole number of percent: 70%, in German 70 %."""
    return _("%(number)s%%") % {"number": f"{share * 100:.0f}"}
