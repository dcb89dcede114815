"""Tools for researchers: tables of decisions, tournaments, best responses, data sets."""
