"""The parts of the documentation that are made from the code, one module for each kind."""
