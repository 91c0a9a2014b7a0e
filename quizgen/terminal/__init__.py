"""The only room that interacts with a person: full screen or line by line, with screen, keyboard and clock as
arguments."""

import signal

# The signals that end a program but leave it time to save; Windows has neither.
CAUGHT_SIGNALS = tuple(s for s in (getattr(signal, n, None) for n in ("SIGTERM", "SIGHUP")) if s is not None)
