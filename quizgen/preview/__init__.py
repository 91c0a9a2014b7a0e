"""A page on this machine that shows a bank as its files change: `watch` reads it, `views` shows one item,
`server` answers one person's browser."""
