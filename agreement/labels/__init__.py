"""A judge's labels and scores beside people's labels: right answers, ranking, spread."""
