"""Signing in by a company's OpenID Connect provider."""
