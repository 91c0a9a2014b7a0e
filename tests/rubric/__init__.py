"""Tests of the rubric engine."""
