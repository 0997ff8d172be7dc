"""Teams: people known beforehand, with a table of what each answers and in which order."""
