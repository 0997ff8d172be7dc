"""What each column of a table holds: a step each for the rater, the outputs, the keys, the answers
and what is kept."""
