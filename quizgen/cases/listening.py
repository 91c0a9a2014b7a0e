"""Reads the words of a candidate's question or wish: its sentences, the term or thing it is about, and the reply to it
where no fact of a case is needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from quizgen.cases.case import normalized_term
from quizgen.cases.intent import MAX_ANSWER_SHARE, CaseWords, intent_shares
from quizgen.cases.remarks import EITHER_REPLY, nearest_remark, word_rows_of_block


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of conversation, by which no question names what it is about.
EVERYDAY_WORDS: Final = frozenset(word for row in word_rows_of_block("everyday") for word in row)
# Ordinary English words that questions and model answers happen to contain.
GENERIC_WORDS: Final = frozenset(word for row in word_rows_of_block("ordinary") for word in row)
_WORD_PATTERN: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
# Words that may precede a question.
_QUESTION_LEAD_IN: Final = (
    r"(?:(?:so|and|also|then|but|well|ok(?:ay)?|sorry|hm+|um+|oh|first|just|actually|hey"
    r"|though|although|however|(?:quick|dumb|silly|stupid) question|just to be clear"
    r"|(?:(?:can|could|would) you )?(?:please )?(?:remind|tell) me|i wonder|i(?:['’]m| was| am) wondering|any idea"
    r"|i(?:['’]d| would) (?:want|like|love|need) to know|(?:do|does) (?:we|you|anyone|anybody) know"
    r"|i don['’]t think you (?:mentioned|told me|said)|you (?:never|didn['’]t|haven['’]t) (?:said?|told|tell"
    r"|mention(?:ed)?)(?: me)?|before (?:that|i \w+(?: on)?))[,: ]+)*"
)
# Groups of words that a phrase names by one word in capitals.
WORDS_BY_GROUP_NAME: Final = {
    "IT": "it|this|that|them|these|those",
    "BE": "is|are|was|were|do|does|did|can|could|will|would|should|shall|may|might|must|has|have|had|am",
    "US": "we|i|you|it|there|the|they|this|that|these|those|our|any|all|each|every|some|your|its|a|an|both|my|he|she",
}  # fmt: skip
# Words that may stand between two words of a phrase.
_FILLER_WORDS: Final = _word_set("""
    a an the that this these those my your our some any just really quite actually please perhaps maybe about another
    more quick quickly little so very still only exactly precisely honestly kind of one two three five ten twenty thirty
    all right well also even too again
""")
_FILLERS_BETWEEN_WORDS: Final = rf"\W+(?:(?:{'|'.join(sorted(_FILLER_WORDS))}|\d+)\W+)*?"


@cache
def phrase_pattern(phrases: str) -> re.Pattern[str]:
    """The pattern that finds one of these phrases, which are separated by commas, in a text of `normalized_text`.

    A phrase is words in their order; fillers ("just", "a") may stand between two. `a|b` is either word, `word?` may be
    missing, `*` is any letters, `...` any words or none, `^` the beginning of the text and `$` its end; a word in
    capitals is a row of `WORDS_BY_GROUP_NAME`.

    >>> bool(phrase_pattern("give me second*").search("could you give me ten more seconds"))
    True"""
    shapes = [_phrase_shape(phrase.split()) for phrase in phrases.split(",") if phrase.strip()]
    return re.compile("|".join(shapes) or r"(?!)", re.IGNORECASE)


def _phrase_shape(words: Sequence[str]) -> str:
    """The pattern of one phrase."""
    made, joint, after = "", r"(?<!\w)", r"(?!\w)"
    for word in words:
        if word == "^":
            made, joint = rf"^\W*{_QUESTION_LEAD_IN}", ""
        elif word == "$":
            made, after = made + r"\W*$", ""
        elif word == "...":
            made, joint, after = made + r"\b.*", r"\b", ""
        else:
            shape = f"(?:{_word_shape(word)})"
            one = f"{joint}{shape}"
            if word.endswith("?"):
                one = f"(?:{one})?" if joint else f"(?:{shape}(?:{_FILLERS_BETWEEN_WORDS}|(?=\\W*$)))?"
            made, after = made + one, r"(?!\w)"
            joint = _FILLERS_BETWEEN_WORDS if joint or not word.endswith("?") else ""
    return made + after


def _word_shape(word: str) -> str:
    """A pattern for the words that a word of a phrase stands for."""
    names = (WORDS_BY_GROUP_NAME.get(one, one) for one in word.replace("?", "").split("|"))
    return "|".join(re.escape(one).replace(r"\*", r"[\w']*") for name in names for one in name.split("|"))


AS_I_SAID_PATTERN: Final = re.compile(
    r"\b(?:as|like) i (?:had |have )?(?:said|wrote|told you|mentioned)\b", re.IGNORECASE
)
# A clause that ends a calculation with its result.
_RESULT_START_PATTERN: Final = re.compile(
    r"\W*(?:so|thus|hence|therefore|then|(?:which|that|it) (?:is|makes|gives|comes|works|adds)|in all|altogether"
    r"|i mean)\b",
    re.IGNORECASE,
)
# A calculation in words, and the words before its result.
_OPERATION_PATTERN: Final = phrase_pattern(
    """
    times, divided by, multiplied by, over *, plus, minus, half of, per, x
    """
)
_BEFORE_RESULT_PATTERN: Final = re.compile(
    r"(?:\b(?:is|are|(?:that|it)['’]s|makes?|gives?|equals?|takes?|needs?|costs?|to|get|so|at|roughly|about|around|exactly)\b"
    r"|[=≈~])\s*"
    r"(?=[~≈]?\d)",
    re.IGNORECASE,
)
# "24 minutes to lose as much", "15 PB of raw disk", "7.5 percent before we lose"
_PURPOSE_PATTERN: Final = re.compile(r"\s+(?:to|of|for|on|in|at|before|until|when|while|because|since|if)\b")
_REMARK_ON_RESULT_PATTERN: Final = re.compile(r"which\b", re.IGNORECASE)  # "…, which is pretty much the 7.2 we saw"
_DIGITS_PATTERN: Final = re.compile(r"\d+(?:[.,]\d+)*")
_CLAUSE_BORDER_PATTERN: Final = re.compile(r"[,;:.!?]+(?:\s+|$)|\n+|\s+(?=(?:so|thus|hence|therefore)\b)")
NO_HURRY_REPLY: Final = "As long as you need, within the time shown."
MAX_CALCULATION_CHARACTERS: Final = 400
EITHER_MEANING_REPLY: Final = "Take the one that decides your answer, and say which you took."
CONFIRM_MEANING_REPLY: Final = "Take it so, and say that you do."
WHICH_TERM_REPLY: Final = "Which word do you mean? Ask “what is …?” with it."
_TERM_WORD_PATTERN: Final = re.compile(r"\b(?:term|word|acronym|abbreviation)\b", re.IGNORECASE)
YOUR_UNDERSTANDING_REPLY: Final = "Answer it as you understand it, and say how you understand it."
TERM_UNKNOWN_REPLY: Final = "I mean no more by it than people in the field do: say how you take it where it matters."
ASSUME_IT_REPLY: Final = "That is fine: assume it, and say what depends on it."
YOUR_CHOICE_REPLY: Final = "You decide: say what you gain and what it costs."
# "By CP you mean splitting the sequence, yes?": the candidate says a meaning, which is to be confirmed.
_MEANING_TO_CONFIRM_PATTERN: Final = re.compile(
    r"\bmean(?:s|t)? (?!what|by|here|exactly|by that|something|anything)\w+ \w+"
    r"|\b(?:as in|meaning|being|just|is (?:that|it|this)|are we talking about) (?!what|in)\w+.*\?$"
    r"|, (?:yes|yeah|right|correct|(?:is|was|does|did)(?:n['’]t)? (?:it|that))\?$",
    re.IGNORECASE,
)
# "I'm a bit lost": a word that the candidate says of himself is not the one that he wants explained.
_SELF_DESCRIPTION_PATTERN: Final = re.compile(
    r"\bi(?:'m| am| was| got| feel| have| just)\b"
    r"(?:\W+(?:a|bit|little|so|totally|completely|rather|quite|kind|of|still|not))*\W+\w+",
    re.IGNORECASE,
)
_MEANING_START_PATTERN: Final = re.compile(r"\b(?:meaning|as in|you mean|being)\b(?! (?:what|by))", re.IGNORECASE)
_WHAT_IS_PATTERN: Final = re.compile(
    r"(?:(?:so|and|sorry|hm+)\W+)?what(?:['’]s| is| are) (?:an? |the )?[\w-]+(?: [\w-]+)?\W*", re.IGNORECASE
)
_QUOTED_WORD_PATTERN: Final = re.compile(r"(?<!\w)[\"“‘„']([^\"”’']{1,40})[\"”’'](?!\w)")
# Questions that need no question mark.
_QUESTION_WITHOUT_MARK_PATTERN: Final = phrase_pattern(
    """^ is|are|was|were|does|did|do|can|could|would|should|shall|may we|i|you|there|they, ^ is|was|does|did it, ^
    tell me, ^ i'd|i would? like|want|need to know, ^ i'm|i am?|was? wondering, ^ which|what|who * BE US, ^ how
    many|much|often * BE US, ^ can|could|would|will you"""
)
_SENTENCE_PATTERN: Final = re.compile(r"[^.?!;\n]*(?:[.?!;](?!\s|$)[^.?!;\n]*)*(?:[.?!;]+|\n|$)")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text. A point inside a number does not end a sentence."""
    endings = (one.group().strip() for one in _SENTENCE_PATTERN.finditer(text))
    return [sentence for sentence in endings if _WORD_PATTERN.search(sentence)]


def normalized_text(text: str) -> str:
    """A text in the form in which words are compared: small letters, straight apostrophes, at most two equal letters in
    a row."""
    return re.sub(
        r"([a-z])\1{2,}", r"\1\1", " ".join(text.casefold().replace("’", "'").replace("at the moment", "now").split())
    )


def answer_clause(text: str, readable: Callable[[str], bool]) -> str:
    """The clause of a text with its number: the only one that is `readable`, or the last one if it is the result of a
    calculation; else the words after the last "is", "gives" or "takes"; empty if there is none.

    >>> answer_clause("142 of 1800 s, so 8 %", lambda clause: clause.endswith("%"))
    'so 8 %'
    >>> answer_clause("80 layers times 2 is about 160 GB, which fits", lambda clause: clause == "160 GB")
    '160 GB'"""
    clauses = [
        clause.strip() for clause in _CLAUSE_BORDER_PATTERN.split(text[:MAX_CALCULATION_CHARACTERS]) if clause.strip()
    ]
    fit = [clause for clause in clauses if readable(clause)]
    if (
        fit
        and fit[-1] == clauses[-1]
        and (len(fit) == 1 or _OPERATION_PATTERN.search(text) or _RESULT_START_PATTERN.match(fit[-1]))
    ):
        return fit[-1]
    return _last_result(clauses, readable) or (
        fit[0] if len(fit) == 1 and not _has_later_result(clauses, fit[0]) else ""
    )


def _has_later_result(clauses: Sequence[str], clause: str) -> bool:
    """Whether behind a clause another one begins a result, another number: "that's 1.075, so it takes 7.5 % longer"."""
    numbers = set(_DIGITS_PATTERN.findall(clause))
    behind = clauses[clauses.index(clause) + 1 :]
    return any(_RESULT_START_PATTERN.match(one) and set(_DIGITS_PATTERN.findall(one)) - numbers for one in behind)


def _last_result(clauses: Sequence[str], readable: Callable[[str], bool]) -> str:
    """The readable words after "is", "gives" or "takes" in the last clause with a number, remarks on it left out."""
    stated = [clause for clause in clauses if re.search(r"\d", clause) and not _REMARK_ON_RESULT_PATTERN.match(clause)]
    for piece in _BEFORE_RESULT_PATTERN.split(stated[-1])[:0:-1] if stated else ():
        for words in (piece, _PURPOSE_PATTERN.split(piece)[0]):
            if readable(words.strip()):
                return words.strip()
    return ""


def reply_to_non_answer(text: str, question: str, terms: Callable[[], Mapping[str, str]] = dict) -> str:
    """What is said to a text that does not answer a follow-up; empty where it may. Where it is asked again, the
    `question`; `terms` are called for meanings by `normalized_term` where one is asked for.

    >>> reply_to_non_answer("Sorry, what was that?", "And the bytes?")
    'And the bytes?'
    >>> reply_to_non_answer("What does a rail mean?", "Why rails?", lambda: {"rail": "A switch for each GPU."})
    'A switch for each GPU.'
    """
    shares = intent_shares(text, CaseWords(content_stems(question) - GENERIC_WORDS, frozenset(), frozenset()))
    intent = max(shares, key=shares.__getitem__)
    answers = shares["answer"] > MAX_ANSWER_SHARE and not only_asks_what_is(text)
    if not text.strip() or answers or intent in ("help", "skip", "done"):
        return ""
    if intent == "meaning" or only_asks_what_is(text):
        return clarification_reply(terms(), text, question)
    if intent == "leave":
        return permission_reply(text)
    if intent in ("ask", "recall"):
        return YOUR_UNDERSTANDING_REPLY
    known = {
        "question": question,
        "whole": question,
        "in_other_words": question,
        "form": "A sentence or two will do.",
        "part": NO_HURRY_REPLY,
    }
    return nearest_remark(text, intent)[0].reply.format(**known, known=question, setup="")


def only_asks_what_is(text: str) -> bool:
    """Whether a text only asks what one thing is, also without a question mark.

    >>> only_asks_what_is("what is a rail"), only_asks_what_is("What is the cause of the delay?")
    (True, False)"""
    return bool(_WHAT_IS_PATTERN.fullmatch(text.strip()))


def clarification_reply(terms: Mapping[str, str], wish: str, question: str = "") -> str:
    """The meaning of the term that a wish for a meaning is about; without one, a sentence that any sense will do. "That
    term" is the only term of the `question`.

    >>> clarification_reply({"lag": "How far a copy is behind."}, "Lag in which sense?")
    'How far a copy is behind.'"""
    word = word_to_explain(terms, wish)
    if meaning := term_meaning(terms, word) or terms.get(first_term_in_text(terms, word), ""):
        return meaning
    stems = content_stems(word)
    alike = {terms[name] for name in terms if stems and stems <= content_stems(name)}
    if len(alike) == 1:  # "states" of "optimizer states"
        return alike.pop()
    if not word and _MEANING_TO_CONFIRM_PATTERN.search(wish) and " or " not in wish:
        return CONFIRM_MEANING_REPLY
    if not word and _TERM_WORD_PATTERN.search(wish):
        return WHICH_TERM_REPLY
    if not word and len(names := terms_in_text(terms, question)) == 1 and not content_stems(wish) - GENERIC_WORDS:
        return f"By “{names[0]}” I mean: {terms[names[0]]}"
    if offers_two_alternatives(wish) or " or " in wish:
        return EITHER_MEANING_REPLY
    return CONFIRM_MEANING_REPLY if _MEANING_TO_CONFIRM_PATTERN.search(wish) else TERM_UNKNOWN_REPLY


def term_meaning(terms: Mapping[str, str], word: str) -> str:
    """The meaning of a word that is itself a term, also in the plural; empty if it is not.

    >>> term_meaning({"read replica": "A copy that is only read."}, "Read-replicas")
    'A copy that is only read.'"""
    plain = normalized_term(word)
    return terms.get(plain) or terms.get(plain.removesuffix("s"), "") if plain else ""


def first_term_in_text(terms: Mapping[str, str], text: str) -> str:
    """The term that a text names first, of two that begin there the longer one; empty if there is none."""
    words = normalized_term(text).split()
    places = {stem: place for place, word in reversed(list(enumerate(words))) for stem in content_stems(word)}
    exact = {
        name: normalized_term(text)[: normalized_term(text).index(name)].count(" ")
        for name in terms_in_text(terms, text)
    }
    alike = {  # "skipping" is "skip"
        name: places[min(own)]
        for name in terms
        if " " not in name and (own := content_stems(name)) and own <= places.keys()
    }
    named = {**alike, **exact}
    return min(named, key=lambda name: (named[name], name not in exact, -len(name)), default="")


def word_to_explain(terms: Mapping[str, str], wish: str) -> str:
    """The word whose meaning a wish is about: the one in quotes, or the first term; empty if it has neither.

    >>> terms = {"lag": "How far a copy is behind.", "copy": "A replica."}
    >>> word_to_explain(terms, "What counts as lag for you, the time that a copy is behind?")
    'lag'"""
    plain = _SELF_DESCRIPTION_PATTERN.sub(" ", wish.replace("’", "'"))
    if quoted := _QUOTED_WORD_PATTERN.search(plain):
        return first_term_in_text(terms, quoted[1]) or quoted[1]
    # "a hot link meaning one that many open at once" is about hot links.
    named, *offered = _MEANING_START_PATTERN.split(plain)
    if content_stems(named):
        return first_term_in_text(terms, named)
    return "" if offered and offers_two_alternatives(wish) else first_term_in_text(terms, plain)


def terms_in_text(terms: Mapping[str, str], text: str) -> list[str]:
    """The terms that a text contains, except those that are a part of another one."""
    plain = normalized_term(text)
    named = [name for name in terms if re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", plain)]
    return [name for name in named if not any(name != other and name in other for other in named)]


def offers_two_alternatives(text: str) -> bool:
    """Whether a question offers two alternatives to choose from.

    >>> offers_two_alternatives("Do you want the mean or the peak?")
    True
    >>> offers_two_alternatives("In how many regions or zones are we?")
    False"""
    plain = normalized_text(text)
    return (
        " or " in plain
        and bool(_CHOICE_QUESTION_PATTERN.search(plain))
        and not _EXISTENCE_QUESTION_PATTERN.search(plain)
    )


_CHOICE_QUESTION_PATTERN: Final = phrase_pattern(
    """^ BE US ... or, ^ which ... or, ^ what ... more|most|better|first ... or,
    ... or ... you like|prefer|rather, ... or ... better, ... or ... which,
    ... or ... what do you"""
)
_EXISTENCE_QUESTION_PATTERN: Final = phrase_pattern("""
    how many|much|often|long, do|have we|you|they have|got, is|are there, or not $,
    or something|similar|so|whatever, or the like,
    or is|would|are IT be? cheating|wrong|against|forbidden|overkill|too,
    or is|would|are IT off|out ... table|bounds|question|scope
""")


def thing_asked_about(question: str) -> str:
    """The thing that a question is about, in the question's words; empty if it has none of its own.

    >>> thing_asked_about("In how many regions or data centres are we?"), thing_asked_about("How many of them?")
    ('regions or data centres', '')"""
    match = _THING_PATTERN.match(question.strip())
    words = re.sub(
        r"^(?:number|figure|value|estimate|idea)s? (?:for|of) (?:the )?", "", match["thing"] if match else ""
    ).split()
    if match is not None and _OBJECT_PATTERN.match(question.strip(), match.end()):
        words = words[:-1]  # "which clients call it"
    while words and words[-1].casefold() in _WORDS_DROPPED_AT_END_OF_THING:
        words.pop()
    if match is None or len(words) > 5 or not content_stems(" ".join(words)) or words[-1].endswith("ed"):
        return ""
    article = (match["article"] or "").strip().casefold()
    return " ".join(["the" if article in ("the", "our", "your") else article, *words]).strip()


_OBJECT_PATTERN: Final = re.compile(r"(?:it|them|us|you|me|this|that)\b", re.IGNORECASE)
_WORDS_DROPPED_AT_END_OF_THING: Final = _FILLER_WORDS | _word_set(
    "of or and like look important used involved needed available supposed expected after look looks happens last"
    " lasts come comes"
)
_THING_PATTERN: Final = re.compile(
    rf"{_QUESTION_LEAD_IN}(?:in |on |for |to |at )?(?:how (?:many|much)|(?:what|how) about|and|or"
    r"|which|what (?:kind|sort|type) of"
    r"|what(?:['’]s| is| are)?|how \w+(?= (?:the|our|your|an?) )|(?=the number of)"
    r"|(?:(?:is|are) there|do (?:we|you) (?:have|know|get)|have (?:we|you)(?: got)?)(?: any)?"
    r"|any|how \w+ (?:is|are|may|must|should|can|will|do|does)|how (?:is|are)|does|can|may|must|should|is|are)\s+"
    r"(?P<article>(?:the|our|your|an?)\s+)?"
    r"(?P<thing>(?:(?!(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|have|has|had|be|been"
    r"|per|each|every|in|on|at|(?<!number )(?<!figure )(?<!value )for|to|by|from|with"
    r"|we|you|i|they|it|them|there|that|this|those|these|who|when|if|so|not|here"
    r"|and (?=what|how|which|who|when|where)|(?:the|our|your|an?)(?= \w))\b)"
    r"\b[\w’'-]+\b\s*)+)",
    re.IGNORECASE,
)


def is_question_or_request(sentence: str) -> bool:
    """Whether a sentence is a question or a request, also without a question mark.

    >>> is_question_or_request("do we have any monitoring")
    True
    >>> is_question_or_request("how much a rank holds depends on K")
    False"""
    return sentence.endswith("?") or bool(_QUESTION_WITHOUT_MARK_PATTERN.search(sentence.replace("’", "'")))


def content_stems(text: str) -> frozenset[str]:
    """The stems of those words in a text that are not everyday words."""
    from quizgen.rubric.spelling import word_stem

    words = (word.casefold() for word in _WORD_PATTERN.findall(text))
    return frozenset(word_stem(word) for word in words if word not in EVERYDAY_WORDS)


@cache
def related_stem_groups() -> tuple[frozenset[str], ...]:
    """The stems of words that are related, as they are for one subject of a question, a set each."""
    return tuple(content_stems(" ".join(row)) for row in word_rows_of_block("subjects"))


# Replies to a request for permission that no fact of the case answers; the first matching row is used.
PERMISSION_REPLIES: Final = (
    (r"\b(?:round\w*|approximat\w*|back of (?:the|an) envelope|significant)\b",
     "Go ahead, to two digits at least; say that you round."),
    (r"\b(?:second|minute|hour|day|week|month|year|[kmgt]i?b|(?:kilo|mega|giga|tera)byte|million|billion)s?"
     r" (?:as|is|has|to be|flat|at|of) .*\b(?:\d|ten|twenty|thirty|sixty|hundred|thousand)",
     "Fine where it is right to two digits; say what you took."),
    (r"\b(?:ignor\w*|neglect\w*|(?:leav\w+|left)\b.*\b(?:out|aside)|put\b.*\baside|disregard\w*|skip\w*"
     r"|(?:i|we) (?:drop|omit))\b",
     "Fine: leave it out, and say that you do."),
    (r"\b(?:assum\w*|presum\w*|suppos\w*|pretend\w*|treat\w*|tak(?:e|ing)|say|count on|rely|lean on|am i right"
     r"|think of|write|regard|go with|stick (?:to|with)|i(?: am|['’]m going to|['’]ll)? call)\b",
     ASSUME_IT_REPLY),
    (r"\binto account\b|\b(?:care|worry|consider|handle|cover|think about)\b",
     "If it decides the answer, yes, in a sentence; else leave it out."),
    (r"\b(?:count|include|add)\b", "Your choice: say how you count, and why."),
    (r"", YOUR_CHOICE_REPLY),
)  # fmt: skip


def permission_reply(question: str) -> str:
    """The reply to a request for permission.

    >>> permission_reply("Do you mind if I round it?")
    'Go ahead, to two digits at least; say that you round.'"""
    if offers_two_alternatives(question):
        return EITHER_REPLY
    return next(reply for shape, reply in PERMISSION_REPLIES if re.search(shape, question, re.IGNORECASE))
