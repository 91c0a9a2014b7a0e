"""From what was found to marks, and what is capped."""
