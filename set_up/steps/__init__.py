"""Setting a study up by form: small forms over the keys of its file, and what is missing."""
