"""Turns logs of any origin into scored responses.

`scorer` redraws the variant that a log line names, and scores equal responses only once; `response` is about one score
and people's decisions on it. Logs are read by `log_files`, `log_lines`, `exam_answers`, `foreign_logs` and
`marks_file`. `score_logs` has blocks of lines scored in this process, in several, or on a Dask cluster (`processes`),
and collects the rows in one table (`response_table`), which chooses the responses that count."""
