"""quizgen: item banks for interviews, with scoring that explains itself."""

__version__ = "0.1.0"
