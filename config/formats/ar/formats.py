"""Arabic, with the digits 0 to 9: amounts look as they do in the panel's and the bank's pages."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
