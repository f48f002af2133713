"""What the JSON twins of the pages send: one file for each kind of page."""
