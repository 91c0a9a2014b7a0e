"""Turns logs of any origin into scored responses.

`scorer` redraws the variant that a log line names, and scores equal responses only once; `response` and `overrides` are
about one score. Logs are read by `log_files`, `log_lines`, `tables`, `exam_answers`, `foreign_logs` and `marks_file`.
`run` has blocks of lines scored (`score_lines`) in this process, in several, or on a Dask cluster (`processes`),
collects the rows in one table (`response_table`) and chooses the responses that count (`attempts`)."""
