"""Numeric items: a formula derives the key from drawn values."""
