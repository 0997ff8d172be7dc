"""Rules by which answers are excluded, looked at before they apply."""
