"""Traces of programs that ask models, as tools for watching them keep them."""
