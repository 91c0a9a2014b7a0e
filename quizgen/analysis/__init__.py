"""Item analysis as sums that merge: whole numbers only, so that neither order nor division of the
work can change a digit. `sums` counts, `figures` computes what is reported, `flags` says it in words.
"""
