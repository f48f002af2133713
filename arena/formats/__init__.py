"""Files in, records out: pure readers that know no tables."""
