"""What to practise until an interview, and why.

Pure functions. Days are ordinal numbers (`date.toordinal`). `standing` estimates recall from all attempts at items and
turns it into figures by topic, `plan` gives each day its purpose and picks the items for the next minutes."""
