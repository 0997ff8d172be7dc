"""The change log of a study: who changed what, and when."""
