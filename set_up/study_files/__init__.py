"""The file of a study in the browser: made, downloaded, edited."""
