"""The answer log: append-only JSON Lines, safe against crashes, full disks and second sessions.

`journal` writes it, `records` knows its lines and reads them back for a resume, `drafts` keeps what
is typed but not yet given, and `files` is the file system as the journal uses it.
"""
