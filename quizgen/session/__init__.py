"""A timed session: its value, and the log that keeps every response.

`interview` has the nouns and what may happen to them, and is pure. `reading` makes a response of what was typed.
`session_log` knows the lines of an answer log and `journal` writes them, safe against crashes, full disks and second
sessions; `drafts` keeps what is typed and not yet given, `plan_file` the plan of the coach. `sitting` ties a session,
its clock and its log together.
"""
