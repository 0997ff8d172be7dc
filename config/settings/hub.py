"""The Hugging Face Hub."""

from config.settings.environment import addresses, env

# --- Hugging Face Hub -----------------------------------------------------------------------------

# HF_ENDPOINT (`https://huggingface.co`): the Hugging Face Hub, or a mirror of it, that datasets are
#   imported from.
# HF_TOKEN (none): a token of the hub, for private and gated datasets. It is read when it is needed
#   and never stored; in the browser only superusers import with it.
HF_ENDPOINT = env.str("HF_ENDPOINT", default="https://huggingface.co")
# HUB_MIB (2048): the largest part of a dataset, in MiB, that is fetched from the hub.
HUB_MIB = env.int("HUB_MIB", default=2048)
# HUB_PORTS (`80,443`): the ports of the hub and of where it redirects to.
HUB_PORTS = env.list("HUB_PORTS", cast=int, default=[80, 443])
# HUB_PRIVATE (none): `address:port`, separated by commas: a mirror of the hub in your own network.
#   Without it datasets are fetched from the public internet alone.
HUB_PRIVATE = addresses("HUB_PRIVATE")
