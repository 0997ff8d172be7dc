"""The operations of the API, by subject."""
