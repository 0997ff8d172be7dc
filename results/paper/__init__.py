"""What a paper takes from a study: paragraphs on methods and results, references, a page to share.

Everything said is read from the study, its rounds, runs and report; what is not known is left out.
"""
