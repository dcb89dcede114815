"""What an adapter says where its library is not installed."""


def missing(library: str, package: str = "mulligan[envs]") -> ImportError:
    return ImportError(f"This needs {library}; install it with: pip install '{package}'")
