"""Which columns are keys of sources and outputs."""
