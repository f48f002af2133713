"""The tables, the engine, and one file of queries for each noun."""
