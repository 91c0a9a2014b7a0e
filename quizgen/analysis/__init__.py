"""Item analysis. `estimates` adds up whole numbers, so that no digit depends on the order or division of the work;
`item_statistics` turns the sums into figures and flags."""
