"""quizgen: item banks for interviews, with scoring that explains itself."""

__version__ = "1.0.0"
