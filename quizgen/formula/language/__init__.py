"""The expression language of formulas: text to tokens, tokens to a tree, a tree checked and worked out."""
