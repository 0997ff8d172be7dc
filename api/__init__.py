"""The REST API under `/api/v1/`: the same verbs and the same rules as the pages."""
