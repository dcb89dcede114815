"""Games and environments on a CUDA GPU (docs/environments.md). Nothing else needs this wing."""
