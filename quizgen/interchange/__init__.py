"""Other programs' formats, in and out: one row for each format, whose file is loaded when it is used.

`contract` is the interface of exporters and importers, `registry` lists them, `export` and `import_drafts` run them."""
