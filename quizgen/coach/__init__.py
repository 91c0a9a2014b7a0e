"""From today to an interview: what was learned and is left, what to do next, and why. Pure.

Days are ordinal numbers (`date.toordinal`). `memory` says how much of a look is left, `looks` what one
showed, `standing` what all of them come to, `chooser` what is worth the next minutes, `plan` what each
day is for.
"""
