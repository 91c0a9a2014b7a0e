"""A test over many cases as one test: thousands of tests of their own cost more than what they check."""

from __future__ import annotations

from collections.abc import Callable, Iterable

Cases = Iterable[object] | Callable[[], Iterable[object]]


def every(cases: Cases) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Decorates a check of one case (a tuple is its arguments). All cases run; a failure names each one that failed.

    `cases` may be a function that makes them, which then runs with the test and not when tests are collected.
    """

    def decorate(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            failed = []
            for case in cases() if callable(cases) else cases:
                values = case if isinstance(case, tuple) else (case,)
                try:
                    check(*values)
                except AssertionError as error:
                    failed.append(f"{str(case)[:300]}: {error}")
                except Exception as error:
                    error.add_note(f"the case is {str(case)[:300]}")
                    raise
            assert not failed, f"{len(failed)} cases failed:\n" + "\n".join(failed[:20])

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        test.__module__ = check.__module__
        return test

    return decorate
