"""Shared by the backends that run a model on this machine: weights, devices, batches."""
