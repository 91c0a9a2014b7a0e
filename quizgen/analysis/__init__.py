"""Item analysis. `sums` adds up whole numbers, so that neither the order nor the division of the work changes a digit;
`item_statistics` turns sums into figures and flags."""
