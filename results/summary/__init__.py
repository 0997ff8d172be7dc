"""The first screen of results: three cards with what `results.reading` says, and a figure each."""
