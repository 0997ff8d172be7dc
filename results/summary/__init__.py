"""The first screen of results: rules that turn rows of a report into three cards."""
