"""The card of a judge: what one version is, and what it is worth for one task."""
