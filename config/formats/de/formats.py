"""German, with a decimal point: amounts look as they do in the panel's and the bank's pages."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
