"""The errors of the store. Each message gives the reason in one sentence."""


class StoreError(OSError):
    """The database cannot be used."""


class Unsettled(StoreError):
    """A write may have failed, or another process owns the table: clients connect and send again."""


class Disconnected(Unsettled):
    """The connection to the database was lost; what was just sent may be written or not."""


class DamagedEntry(StoreError):
    """An entry of one table's log is not what was written."""


class LeaseLost(Unsettled):
    """Another process has taken over the table."""
