"""Load on our own site, on this machine alone: `make load`."""
