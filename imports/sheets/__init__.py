"""Questions answered in spreadsheets: one file per annotator out, filled in, and back in."""
