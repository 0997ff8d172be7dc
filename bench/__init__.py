"""What the program must reach, measured beside its peers: `python -m bench [NAME...]`."""

import os

# What benches import of the program may read its settings.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
