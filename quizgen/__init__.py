"""quizgen: item banks for interviews, with grading that explains itself."""

__version__ = "0.1.0"
