"""Panels, which workers come from: one module each, behind one contract."""
