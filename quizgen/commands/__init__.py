"""One file for each command: it reads options, calls one function, prints, and exits."""
