"""Phrases compiled: what each word of a response may mean to a rubric."""
