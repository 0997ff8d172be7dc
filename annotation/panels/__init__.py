"""Where workers come from: one module per panel behind one contract."""
