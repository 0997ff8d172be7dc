"""Keys of the own columns of files that results may be grouped by, such as `source.topic`."""

RATER = "rater"
# Whose own columns these are, as the beginnings of keys say it.
OWNERS = ("source", "item", "unit", RATER)
# Before the names of what files tell of people.
OF_RATERS = f"{RATER}."
# More groups than anybody compares: then numbers make four, and the rarest of other values one.
# Still more values, or longer ones, are no groups.
MOST_GROUPS, MOST_VALUES, LONGEST_VALUE = 24, 100, 100
