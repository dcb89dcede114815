"""`python -m mulligan` is `mulligan`."""

from .cli import main

main()
