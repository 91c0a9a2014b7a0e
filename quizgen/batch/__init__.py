"""Logs of any size scored in bounded memory: lines are mapped to records in blocks, records of one
candidate meet in one partition on disk, and partitions are reduced to sums that merge.

Blocks and partitions may be worked on here, by processes of this machine or by a cluster: each is
a function of bytes, and every sum is of whole numbers, so the report does not depend on who did what.
"""
