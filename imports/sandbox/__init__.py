"""Strangers' files are read in a process of its own, within limits of memory and time."""
