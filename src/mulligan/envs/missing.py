"""What an adapter says where its library is not installed."""


def missing(library: str) -> ImportError:
    return ImportError(f"This needs {library}; install it with: pip install 'mulligan[envs]'")
