"""The pages on which members choose what opens alerts, and who hears of them."""
