"""The researchers' pages, by what they are about."""
