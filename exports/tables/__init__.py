"""Flat tables of answers, ratings and estimates."""
