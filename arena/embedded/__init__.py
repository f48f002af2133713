"""Postgres and Valkey from wheels, and the process tree of `arena up`."""
