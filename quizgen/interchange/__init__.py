"""Other programs' formats, in and out: one file and one row a format, loaded when it is asked for.

`contract` says what an exporter and an importer are, `registry` lists them, `export` and `bring` drive them.
"""
