"""Alerts of a study: what opens them, and who hears of them."""
