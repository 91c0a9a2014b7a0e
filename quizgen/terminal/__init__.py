"""The only room that interacts with a person: full screen or line by line, with screen, keyboard and clock as
arguments."""
