"""What the backends that run a model on this machine share: its weights, a device, batches."""
