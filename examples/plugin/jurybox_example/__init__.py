"""A format, a judge method and a backend for Jurybox."""
