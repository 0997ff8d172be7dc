"""Human evaluations of random designs, written to files in the shapes in which people keep them."""
