"""Making a study in the browser, step by step."""
