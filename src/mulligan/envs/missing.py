"""What an adapter says where its library is not installed."""


def missing(library: str, package: str = ".[envs]") -> ImportError:
    place = " in a clone of Mulligan" if package.startswith(".") else ""
    return ImportError(f"This needs {library}; install it with: pip install '{package}'{place}")
