"""The numbers: the data of a study, the metrics, and estimates kept by revision. No pages."""
