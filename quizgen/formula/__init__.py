"""The formula engine: a small language of exact numbers with units, evaluated, derived and proven."""
