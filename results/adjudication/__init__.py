"""What people decided by hand: gold answers beside those of people and judges."""
