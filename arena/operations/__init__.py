"""Keeping an installation up: serve, look, diagnose, back up."""
