"""A timed session: its value, the events that change it, and the log that keeps every response.

`interview` holds the nouns, `events` what may happen to them, both pure. `reading` makes a response of what was typed.
`session_log` knows the lines of an answer log and `journal` writes them, safe against crashes, full disks and second
sessions; `drafts` keeps what is typed and not yet given, `plan_file` the plan of the coach. `sitting` ties a session,
its clock and its log together.
"""
