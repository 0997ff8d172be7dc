"""Lists that questions are asked by, prepared in the study: proposed, checked, accepted."""
