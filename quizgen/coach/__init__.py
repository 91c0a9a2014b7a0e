"""What to practise until an interview, and why.

Pure functions. Days are ordinal numbers (`date.toordinal`). `standing` estimates recall from all attempts at items,
`readiness` turns it into figures by topic, `chooser` picks the items for the next minutes, `plan` gives each day its
purpose."""
