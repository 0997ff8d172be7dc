"""What the API reads of a request: its body, its filters and pages, its conditions and keys."""
