"""The data manager: all units of a study in a table, one with everything, actions on many."""
