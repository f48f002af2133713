"""Scenarios, how their answers are scored, and what the scores mean. Pure: no table, no endpoint."""
