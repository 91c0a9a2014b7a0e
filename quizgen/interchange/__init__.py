"""Other programs' formats, in and out: one file and one row for each format, which is loaded when it is used.

`contract` is the interface of exporters and importers, `registry` lists them, `export` and `import_drafts` run them."""
