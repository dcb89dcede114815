"""Stores the logs of all tables: in one SQLite file, or in PostgreSQL for several processes."""
