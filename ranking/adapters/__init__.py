"""The call shapes of other libraries over this engine, so that a program can change engines by an import."""
