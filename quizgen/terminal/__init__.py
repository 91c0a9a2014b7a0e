"""The only room that talks to a person: full screen or line by line, with screen, keyboard and clock
as arguments."""
