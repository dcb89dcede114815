"""`python -m mulligan` is `mulligan`."""

from mulligan.cli import main

main()
