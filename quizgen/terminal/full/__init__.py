"""The full-screen session: one prompt_toolkit Application.

`panes` makes the text of each part, `room` holds the state and does what a key asks, `keys` binds
keys to it, `layout` places the parts, `run` ties them to a terminal and its signals.
"""
