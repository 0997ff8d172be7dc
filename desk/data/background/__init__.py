"""What takes seconds on a large study: asked for on a page, carried out by a worker."""
