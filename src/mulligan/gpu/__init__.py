"""Games and environments on a CUDA GPU (docs/environments.md). Nothing else needs this wing."""

from .device_tables import DeviceTables as DeviceTables
