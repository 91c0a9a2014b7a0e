"""The practice page: cards that a browser asks, marks at once and saves; as one file, served, or as a web app."""
