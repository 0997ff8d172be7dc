"""The schema of the API (OpenAPI 3.1): operations, links between them, and examples."""
