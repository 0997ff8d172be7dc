"""The installation itself: its processes and their health."""
