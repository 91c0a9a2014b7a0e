"""Rubrics for free text: phrases, matching, polarity, points and reasons, without any model."""
