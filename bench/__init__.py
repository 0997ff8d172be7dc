"""What the program must reach, measured beside its peers: `python -m bench [NAME...]`."""
