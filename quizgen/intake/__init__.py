"""Any log in: blocks of lines from files, folders, archives and standard input, and what a line says.

`lines` reads one line strictly; `sources` finds files and cuts them into blocks of whole lines;
`exams` turns answers files and typed-in sheets into lines of the same form.
"""
