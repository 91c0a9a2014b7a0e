"""The expression language of formulas: text to a tree, its units checked, its value."""
