"""The errors of the store. Each message gives the reason in one sentence."""


class StoreError(OSError):
    """The database cannot be used."""


class Disconnected(StoreError):
    """The connection to the database was lost; what was just sent may be written or not."""


class LeaseLost(StoreError):
    """Another process has taken over the table."""
