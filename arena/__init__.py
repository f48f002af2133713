"""The service: tables, use cases, jobs and the command line."""
