"""The practice page: a form as cards that a browser asks, marks at once and keeps; alone, served, or as a web app."""
