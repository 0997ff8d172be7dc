"""The installation itself: its database, first account and processes, and what is wrong."""
