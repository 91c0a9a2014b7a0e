"""How a match is put, and of whom: denied, guessed, compared, owned by a subject, contradicted."""
