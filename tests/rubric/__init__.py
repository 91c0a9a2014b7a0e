"""Tests of the rubric grader."""
