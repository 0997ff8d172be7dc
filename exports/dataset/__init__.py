"""A study as a labelled dataset: a row per item or element, with its texts and its label."""
