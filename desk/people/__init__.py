"""The people of a study: workers, members, reviews, pay, recruitment, reported problems."""
