"""An installation on one machine: its database, its first account, and what is wrong with it."""
