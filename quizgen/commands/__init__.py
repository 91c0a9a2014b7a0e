"""One command a file: read options, call one function, print, exit."""
