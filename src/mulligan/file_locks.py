"""Locks files against other processes; the lock ends with the process at the latest."""


def lock(file: int) -> bool:
    """Locks an open file for this process. Returns False if another one has locked it; Windows has no such locks."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
