"""Datasets of the Hugging Face Hub, fetched to be imported as files."""
