"""The conversation: facts when asked, branches by what was said, probes, the log's replay, what it comes to."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import shipped
import yaml
from train_intents import EXAMPLES, examples_digest, shipped_cases, stems_by_part

from quizgen import bank as banks
from quizgen.cases import listening
from quizgen.cases import talk as talking
from quizgen.cases.case import Branch, BranchCondition, BranchNumberTest, Case
from quizgen.cases.conversation import Conversation, LineReason, begin_conversation
from quizgen.cases.judge import CriterionPoints, judge_conversation
from quizgen.cases.listening import split_sentences
from quizgen.cases.read import case_problems
from quizgen.cases.talk import COMES_LATER_REPLY, LEFT_OPEN_REPLY, branch_reason_text, is_condition_met
from quizgen.render.case import case_debrief_lines, untaken_branch_sentence
from quizgen.session.case_sitting import exchange_record, replay_conversation_and_phase_seconds
from quizgen.session.session_log import SessionIdentity

WHO = SessionIdentity("s1", "ada", "shop", "sha256:0")
HERE = Path(__file__).parent
CASE = (HERE / "shop.yaml").read_text(encoding="utf-8")
TALK = yaml.load((HERE / "talk.yaml").read_bytes(), yaml.CSafeLoader)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return made(tmp_path_factory.mktemp("shop"), CASE)


def made(folder: Path, text: str) -> Case:
    write_bank(folder, text)
    loaded = banks.load_bank(f"{folder}/shop")
    assert not loaded.errors
    assert loaded.named_case is not None
    return loaded.named_case


def write_bank(folder: Path, text: str) -> None:
    """A bank of one item and one case file with this text."""
    (folder / "cases").mkdir()
    (folder / "cases" / "shop.yaml").write_text(text, encoding="utf-8")
    (folder / "items.yaml").write_text(
        "items:\n  - {id: a, kind: choice, stem: S, key: K, distractors: [L]}\n", encoding="utf-8"
    )


@pytest.fixture
def plan(case: Case) -> Conversation:
    """The turn about the plan, after one fact was told."""
    return told(begin_conversation(case, "s"), "How many reads?", "")[0]


@pytest.fixture
def lag(plan: Conversation) -> Conversation:
    """The turn about a number, with eight replicas noted."""
    return told(plan, "I take 8 replicas behind a cache.")[0]


def told(now: Conversation, *texts: str) -> tuple[Conversation, list[str]]:
    """The conversation after some texts (an empty one goes on), and what the interviewer said to the last."""
    said: list[str] = []
    for text in texts:
        before = now
        exchange = talking.exchange_for_text(now, text) if text else now.exchange_leaving_unanswered("you went on")
        now = now.with_exchange_applied(exchange)
        said = [line.text for line in now.lines[len(before.lines) :] if line.speaker_role == "interviewer"]
    return now, said


def earned(now: Conversation, turn: str = "plan") -> Fraction:
    """The points of a turn."""
    return sum((p.earned_points for p in criterion_points(now, turn)), Fraction(0))


def criterion_points(now: Conversation, turn: str) -> list[CriterionPoints]:
    return [p for p in judge_conversation(now, {}).criterion_points if p.turn_id == turn]


def test_facts_are_told_when_asked_for(case: Case) -> None:
    """A question draws its fact, two draw two, and one that nothing answers is said to be open."""
    now = begin_conversation(case, "s")
    for asked in ("How many reads per second do we have?", "how many must live"):
        assert told(now, asked)[1] == ["2,000 reads a second."]
    assert told(now, "How many queries, and how large is the table?")[1] == ["2,000 reads a second.", "400 GB."]
    assert (
        told(now, "what about how big tables are")[1]
        == told(now, "Must the table size be exact, or rough?")[1]
        == ["400 GB."]
    )
    assert told(now, "which users are affected")[1][0].startswith("Nothing is fixed about users")
    assert told(now, "Can I use eventual consistency?")[1][0].startswith("You judge that")
    assert told(now, "Can we use memcached here?")[1] == ["Yes, one of 64 GB."]
    assert told(now, "Who is the customer?")[1] == [LEFT_OPEN_REPLY]
    asked = "How many reads are there? And who is the customer?"
    assert told(now, asked)[1] == ["2,000 reads a second.", f"“And who is the customer?” {LEFT_OPEN_REPLY}"]


def test_a_question_that_draws_its_fact_in_words_of_its_own_earns_its_point_at_once(case: Case) -> None:
    """No phrase of the fact has "reads each second"; it was told, and counted as never asked for, or half."""
    now, said = told(begin_conversation(case, "s"), "What are the reads each second?")
    assert said == ["2,000 reads a second."]
    (point,) = (p for p in criterion_points(now, "ask") if p.mark.criterion_id == "reads")
    assert (point.earned_points, point.unprompted_points, point.mark.because) == (1, 1, "asked for in other words")


def test_leave_to_leave_a_thing_out_earns_no_point_for_its_name(case: Case) -> None:
    """A wish for leave that no fact answers asks for nothing, though it has a fact's word."""
    now, said = told(begin_conversation(case, "s"), "Mind if I leave the size of the table out of it?")
    assert said == ["Fine: leave it out, and say that you do."]
    assert not now.turn_response_text("ask")
    assert told(now, "How large is the table?")[0].turn_response_text("ask") == "How large is the table?"


@pytest.mark.parametrize("text", TALK["enough"])
def test_an_open_turn_is_left_by_a_candidate_who_has_asked_enough(case: Case, text: str) -> None:
    """Before the first question the same words may mean anything, and with a question in them they leave nothing."""
    asked, _ = told(begin_conversation(case, "s"), "How many reads?")
    for going_on in (text, ""):
        now, said = told(asked, going_on)
        assert (now.turn_id, said) == ("plan", ["Then let us begin.", "What do you change?"])
    assert told(asked, f"{text} Or how large is the table?")[1] == ["400 GB."]
    assert told(begin_conversation(case, "s"), text)[0].turn_id == "ask"


def test_a_branch_by_a_number(case: Case) -> None:
    """Eight replicas lead to the turn about eight replicas, asked with that number."""
    now, said = told(begin_conversation(case, "s"), "", "Read replicas and a cache: I take 8 replicas.")
    assert said == ["I note 8 replicas.", "8 is many.", "With 8 replicas, how many reads a second does each serve?"]
    after, _ = told(now, "250 per second")
    assert after.turn_id == "pick"
    assert after.item_variant_of_turn("lag").score("250").outcome == "correct"
    assert after.item_variant_of_turn("lag").score("1000").outcome == "incorrect"
    below = BranchCondition({}, (BranchNumberTest("", "<", Fraction(5, 2)),))
    assert branch_reason_text(Branch(below, "", "pick", False), case) == "your number is below 2.5"


def test_a_branch_that_stays_is_taken_once(case: Case) -> None:
    """What was never asked for is held against the candidate once; then the heaviest gap is probed."""
    now, said = told(begin_conversation(case, "s"), "", "I tune the database.")
    assert said == ["You never asked how much is read."]
    now, said = told(now, "And the database gets an index.")
    assert said == ["Where do the reads go?"]
    now, said = told(now, "To read replicas.")
    assert said == ["And the rows that everybody reads?"]
    now, said = told(now, "No idea.")
    assert now.turn_id == "pick"  # two probes are all that a turn takes


def test_an_open_turn_takes_whatever_is_said_as_asking(case: Case) -> None:
    """No question mark is needed, and nothing at all goes on."""
    now, said = told(begin_conversation(case, "s"), "Tell me the size of the table.")
    assert (now.turn_id, said) == ("ask", ["400 GB."])
    assert told(now, "")[0].turn_id == "plan"


def test_a_number_that_cannot_be_read_is_asked_for_again(case: Case) -> None:
    """Once the time is over it is taken as it stands."""
    now, _ = told(begin_conversation(case, "s"), "", "Read replicas and a cache: I take 8 replicas.")
    after, said = told(now, "plenty of reads")
    assert after.turn_id == "lag"
    assert said[0].startswith("I can't read that as an answer")
    assert told(after, "What do you mean?")[1][0].startswith("With 8 replicas")
    assert now.with_exchange_applied(talking.exchange_for_text(now, "plenty of reads", in_time=False)).turn_id != "lag"


def test_two_probes_are_all_that_a_turn_takes(tmp_path: Path) -> None:
    third = "            - {id: lag, say: Replicas lag., accept: [lag*], probe: And what of a fresh row?}\n"
    case = made(tmp_path, CASE.replace("        when:\n", third + "        when:\n"))
    now, said = told(begin_conversation(case, "s"), "How many reads?", "", "I tune the database.", "More of it.")
    assert said == ["And the rows that everybody reads?"]
    assert told(now, "More still.")[0].turn_id == "pick"


def test_a_case_without_facts_has_none_to_tell(tmp_path: Path) -> None:
    opening = CASE[CASE.index("      - id: ask") : CASE.index("      - id: plan")]
    text = CASE.replace(FACTS, "").replace(opening, "").replace("unasked: reads, ", "")
    said = told(begin_conversation(made(tmp_path, text), "s"), "How many reads?")[1]
    assert said == ["I have no figure for reads: assume one, and say it."]


HOLDS: list[tuple[dict[str, object], str, bool]] = [
    ({"met": ("cache",)}, "A cache.", True),
    ({"met": ("cache", "replicas")}, "A cache.", False),
    ({"unmet": ("replicas",)}, "A cache.", True),
    ({"unmet": ("cache",)}, "A cache.", False),
    ({"contradicted": ("replicas",)}, "The replicas take writes.", True),
    ({"contradicted": ("replicas",)}, "A cache.", False),
    ({"outcome": ("partial",)}, "A cache.", True),
    ({"outcome": ("correct",)}, "A cache.", False),
    ({"": (BranchNumberTest("", ">", Fraction(0)),)}, "A cache.", False),
]


@pytest.mark.parametrize(("condition", "text", "holds"), HOLDS)
def test_a_branch_is_taken_where_all_of_its_condition_holds(
    case: Case, condition: dict[str, Any], text: str, holds: bool
) -> None:
    """By what a text met, denied and came to; a text that is not a number is neither above nor below one."""
    plan = begin_conversation(case, "s").with_turn_begun(case.turn_by_id("plan"), "")
    made = BranchCondition(condition if "" not in condition else {}, condition.get("", ()))
    assert is_condition_met(made, plan, text, plan.current_turn_variant.score(text)) is holds
    otherwise = Branch(None, "", "pick", False)
    assert is_condition_met(otherwise.condition, plan, text, plan.current_turn_variant.score(text))
    assert branch_reason_text(otherwise, case) == "nothing else applied"


def test_a_question_that_is_answered_at_once_is_not_for_the_interviewer(plan: Conversation) -> None:
    """One that ends what was said is."""
    said = told(plan, "What is slow here? The disk. I add read replicas.")[1]
    assert said == ["And the rows that everybody reads?"]
    said = told(plan, "I add read replicas. Who is the customer?")[1]
    assert said == [LEFT_OPEN_REPLY, "And the rows that everybody reads?"]


def test_a_road_not_taken_names_the_number_that_leads_there(case: Case) -> None:
    """Two replicas were committed to; the question about more than four is none about two. One taken is not told."""
    now, _ = told(begin_conversation(case, "s"), "", "I take 2 read replicas and a cache.")
    made = judge_conversation(now, {})
    (told_of,) = (untaken_branch_sentence(made, branch) for branch in made.untaken_branches_of_met_turns)
    assert told_of == "If you say replicas > 4: With that many replicas, how many reads a second does each serve?"
    now, _ = told(begin_conversation(case, "s"), "", "I take 8 read replicas and a cache.")
    assert judge_conversation(now, {}).untaken_branches_of_met_turns == ()


def test_what_is_said_before_a_question_counts(plan: Conversation) -> None:
    """Also where a semicolon parts them; two questions parted by one only ask."""
    after, said = told(plan, "The replicas take writes; how large is the table?")
    assert said == ["400 GB.", "You say “replicas take writes”. Are you sure? Where do the reads go?"]
    assert after.turn_response_text("plan")
    after, said = told(plan, "How large is the table; who is the customer?")
    assert said == ["400 GB.", f"“who is the customer?” {LEFT_OPEN_REPLY}"]
    assert after.turn_response_text("plan") == ""


def test_contradiction_is_probed_first(plan: Conversation) -> None:
    """The reason says which criterion the candidate contradicted."""
    now, said = told(plan, "The replicas take writes, with a cache in front.")
    assert said == ["You say “replicas take writes”. Are you sure? Where do the reads go?"]
    assert "contradicts" in now.lines[-1].reason
    corrected, _ = told(now, "Sorry, I was wrong: reads go to read replicas.")
    assert earned(corrected) == Fraction(24, 10)  # 0.7 of 2, and 1
    stood, _ = told(now, "Yes, I'm sure.")
    assert (stood.turn_id, earned(stood)) == ("pick", 1)


def test_what_came_after_a_probe_counts_half(plan: Conversation) -> None:
    """By hand: replicas (2 points) at once, cache (1) after a probe: 2.5 of the plan's 3."""
    now, _ = told(plan, "Read replicas.", "A cache.")
    made = judge_conversation(now, {"scope": 60.0})
    assert earned(now) == Fraction(25, 10)
    assert sum(p.unprompted_points for p in made.criterion_points if p.turn_id == "plan") == 2
    assert made.phase_tallies[0].earned_points == 1  # one fact of the two that full marks take
    assert made.phase_tallies[0].spent_seconds == 60.0
    assert [f.id for f in made.unasked_facts_worth_points] == ["size"]
    assert [b.next_turn_id for b in made.untaken_branches_of_met_turns] == ["lag"]
    assert made.possible_points == 2 + 3 + 1  # the turn that no branch led to asks for nothing


def test_a_short_reply_is_read_with_the_words_of_its_probe(tmp_path: Path) -> None:
    """Neither the probe's own words nor a reply beside the point earn anything."""
    case = made(tmp_path, CASE.replace('"cache*|redis|memcached"', '"rows|everybody memory"'))
    begun, _ = told(begin_conversation(case, "s"), "How many reads?", "", "Read replicas.")
    assert begun.lines[-1].text == "And the rows that everybody reads?"
    for reply, earned in (("In memory.", Fraction(1, 2)), ("In Norway.", 0)):
        now, _ = told(begun, reply)
        assert {p.mark.criterion_id: p.earned_points for p in criterion_points(now, "plan")}["cache"] == earned


def test_taken_back_is_gone(plan: Conversation) -> None:
    """What a later text contradicts earns nothing, however it began."""
    now, _ = told(plan, "Read replicas.")
    now, _ = told(now, "No: replicas take writes, not reads.")
    assert earned(now) < 2


def test_the_box_takes_what_stands_there(case: Case) -> None:
    """With the time over, a text is scored without a probe and the next phase begins."""
    now = begin_conversation(case, "s")
    now = now.with_exchange_applied(now.exchange_leaving_unanswered(LineReason.TIME_OVER, in_time=False))
    assert now.turn_id == "plan"
    now = now.with_exchange_applied(talking.exchange_for_text(now, "Read replicas.", in_time=False))
    assert now.is_over
    assert now.turn_response_text("plan") == "Read replicas."


def test_a_replay_goes_the_way_that_was_gone(case: Case) -> None:
    """The lines of a log make the same conversation, whatever the rubric would say today."""
    now = begin_conversation(case, "s")
    lines = []
    for text in ("How many reads?", "", "Read replicas and a cache: I take 8 replicas.", "250", "A"):
        exchange = talking.exchange_for_text(now, text) if text else now.exchange_leaving_unanswered("you went on")
        lines.append(exchange_record(WHO.session_id, now.case.id, exchange, "2026-01-01T00:00:00Z", {"scope": 12.5}))
        now = now.with_exchange_applied(exchange)
    again, spent = replay_conversation_and_phase_seconds(case, "s", tuple(lines))
    assert again == now
    assert spent == {"scope": 12.5}
    half, _ = replay_conversation_and_phase_seconds(case, "s", tuple(lines[:3]))
    assert half.turn_id == "lag"


def test_a_replay_ends_at_a_line_that_makes_no_sense(case: Case) -> None:
    """A line of another case, or a damaged one, ends the replay and raises nothing."""
    now = begin_conversation(case, "s")
    line = exchange_record(
        WHO.session_id, now.case.id, talking.exchange_for_text(now, "How many reads?"), "2026-01-01T00:00:00Z", {}
    )
    for damage in ({"item": "shop.none"}, {"went": 3}, {"went": {"to": "nowhere", "said": []}}, {"text": None}):
        assert replay_conversation_and_phase_seconds(case, "s", (line | damage,))[0] == now, damage
    told_of, _ = replay_conversation_and_phase_seconds(case, "s", (line | {"values": {"replicas": 1e300}},))
    assert not told_of.number_by_commitment  # a number that nobody says


FACTS = CASE[CASE.index("    facts:") : CASE.index("    values:")]
MISTAKES: list[tuple[str, str, str]] = [
    ("phase: design\n        kind: text", "phase: desing\n        kind: text", 'did you mean "design"'),
    ("then: lag", "then: lagg", 'no turn "lagg"'),
    ("unasked: reads", "unasked: readz", 'no fact "readz"'),
    ("{replicas} is many", "{replica} is many", '"{replica}" is not a value of the case'),
    ("ask: What do you change?", "ask: What of {cache}?", '"{cache}" is not a value of the case'),
    ("unmet: cache", "unmet: cash", 'no criterion of this turn "cash"'),
    ('value: {replicas: ">4"}', 'value: {replica: ">4"}', 'no value "replica"'),
    ('">4"', "many", '"many" is not a test of a number'),
    ("minutes: 10\n", "minutes: 11\n", "the phases add up to 10 minutes, the case to 11"),
    ("signal: asking", "signal: askin", 'did you mean "asking"'),
    ("kind: open", "kind: opne", 'did you mean "open"'),
    ("    opening: A shop's database gets slow. Since the spring sale.\n", "", "opening is missing"),
    ("id: pick", "id: plan", 'turn "plan" appears twice'),
    (CASE, "title: A file\n", "the file has no cases"),
    ("title: Scope, minutes: 4", "title: Scope, minutes: 0", "`minutes` above 0"),
    ("Design, minutes: 6}", "Design, minutes: 3}\n      - {id: design, minutes: 3}", "a phase appears twice"),
    ('ask: ["{how many} reads|queries|live"], ', "", "a fact needs `id`, `ask` and `say`"),
    ("        ask: What do you change?\n", "", "a turn needs `id` and `ask`"),
    ("2000 / replicas / 1 s", "2000 /", "each"),
    ("          criteria:\n", "          rows:\n", "rows"),
    ("  - id: shop\n", "  - id: chop\n", 'the case "chop" is in shop.yaml; give file and case one name'),
    (CASE[CASE.index("    turns:") :], "    turns: []\n", "turns is an empty list"),
    (FACTS, "", "an open turn needs facts to ask for"),
    ("if: {unasked: reads, unmet: cache}, ", "", "a branch needs `if:` or `otherwise: true`"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "told"), MISTAKES, ids=[m[1].strip() or "none" for m in MISTAKES])
def test_an_authors_mistake_is_told_at_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    """One message that names the wrong word, with the file and the line."""
    assert old in CASE
    write_bank(tmp_path, CASE.replace(old, new))
    problems = [str(p) for p in banks.load_bank(str(tmp_path), parses_everything=True).errors]
    assert any(told in p and "shop.yaml:" in p for p in problems), problems
    assert banks.load_bank(f"{tmp_path}/shop").named_case is None


def test_a_trigger_of_one_everyday_word_is_warned_of(tmp_path: Path) -> None:
    """ "What was that again?" would draw a fact."""
    write_bank(tmp_path, CASE.replace("stale|{how old}", "stale|again"))
    other = CASE.replace("stale|{how old}", "{how long}|again kept|stale").replace("id: shop", "id: other")
    (tmp_path / "cases" / "other.yaml").write_text(other, encoding="utf-8")
    (warning,) = banks.load_bank(str(tmp_path), parses_everything=True).problems
    assert '"again" alone meets questions on something else' in str(warning)


LINTS = [
    ("    signals: {asking: Asks first, design: Designs}\n", "", ""),
    ("only: branched\n        ask: With", "ask: With", ""),
    ("then: lag}", "then: pick}", 'no branch leads to turn "lag"'),
    ("because nearly all of it is reads.", "because.", ""),
    ("I add read replicas behind a cache", "I add an index", "does not meet"),
    ('{if: {value: {replicas: ">4"}}', "{otherwise: true", "`otherwise` hides 1 branch behind it"),
]


@pytest.mark.parametrize(("old", "new", "told"), LINTS, ids=[n[1] for n in LINTS])
def test_a_case_is_walked_by_check(tmp_path: Path, old: str, new: str, told: str) -> None:
    """Turns nobody reaches and model answers that would draw a probe are told."""
    found = [p.message for p in case_problems(made(tmp_path, CASE.replace(old, new)))]
    assert any(told in m for m in found) if told else not found


def test_the_debrief_gives_the_key_of_a_choice_and_of_a_number(case: Case) -> None:
    """No author writes what a strong candidate would have said to a choice: the key says it, and why it is right."""
    now = begin_conversation(case, "s")
    assert "ended early, in “Scope”" in judge_conversation(now, {}).independence_text
    for text in ("How many reads?", "", "I add 8 read replicas and a cache.", "260", "A"):
        now = told(now, text)[0]
    lines = case_debrief_lines(judge_conversation(now, {}), 80)
    strong = [line.strip() for line in lines if "A strong candidate: " in line]
    assert "A strong candidate: 250 1/s." in strong
    assert any(line.startswith("A strong candidate: ") and "A replica's row." in line for line in strong), strong


def test_what_is_no_answer_is_answered_and_never_scored(plan: Conversation) -> None:
    """ "Could you repeat the question?" drew "Beyond what I told you I have no figure for that"."""
    for text, reply in TALK["asides"].items():
        now, said = told(plan, text)
        assert reply in said[0], (text, said)
        assert (now.turn_id, now.turn_response_text("plan"), len(said)) == ("plan", "", 1), text


def test_what_is_put_as_a_question_or_begins_like_talk_can_be_an_answer(plan: Conversation) -> None:
    for text in TALK["answers"]:
        now, said = told(plan, text)
        assert now.turn_response_text("plan") == text, text
        assert talking.NOT_UNDERSTOOD_TEMPLATE not in said, text


def test_a_follow_up_takes_a_few_words_as_a_reply_and_a_remark_as_none(plan: Conversation) -> None:
    """ "They wait." drew "Take your time."; a second remark in a row was scored; "Not sure. Only …" was taken for a
    question of a meaning, "as I mentioned" for a wish to change an answer."""
    asked, _ = told(plan, "I tune the database.")
    for text in (
        "They wait.", "You should replicate it.", "More of it.", "Two.", "Not sure. Only the cache, maybe.",
        "The cache, as I mentioned.", "A cache, so I suppose it takes them?",
    ):  # fmt: skip
        now, said = told(asked, text)
        assert now.turn_response_text("plan").endswith(text), text
        assert "Which word" not in " ".join(said)
    for text in ("My old boss hated databases.", "Sorry, my dog is barking.", "Can you hear me?", "Hm, let me think."):
        asked, said = told(asked, text)
        assert asked.turn_response_text("plan") == "I tune the database.", (text, said)


def test_who_does_not_know_is_helped_and_may_go_on(plan: Conversation) -> None:
    """By hand: what follows help counts half: 1 of 2 points for the replicas."""
    helped, said = told(plan, "Hm, no idea.")
    assert (helped.turn_response_text("plan"), said) == ("", ["Then a hint: Where do the reads go?"])
    answered, _ = told(helped, "To read replicas.")
    assert earned(answered) == 1
    gone, _ = told(plan, "I'd rather skip this one")
    assert (gone.turn_id, gone.turn_response_text("plan")) == ("pick", "")
    asked = told(gone, "I don't know.")
    assert asked[1] == [talking.NO_HINT_REPLY]
    assert told(asked[0], "Still no clue, sorry")[0].is_over


def test_a_number_alone_is_what_was_asked_to_be_committed_to(tmp_path: Path) -> None:
    """ "8" after "Commit to a number" drew the question again."""
    branch = "          - {if: {unsaid: replicas}, say: Commit to a number., again: true}\n"
    case = made(tmp_path, CASE.replace("        when:\n", "        when:\n" + branch))
    now, _ = told(begin_conversation(case, "s"), "How many reads?", "", "Read replicas behind a cache.")
    for text in ("about 8, say", "I'd go for 8, as Young and Daly say", "Every 8: by Young", "The root is 8. So 8."):
        assert told(now, text)[1][:2] == ["I note 8 replicas.", "8 is many."]


def test_what_is_asked_to_be_repeated_is_no_aside(case: Case) -> None:
    """After "Take your time" it is the question, and before a question the fact that was told last."""
    now, _ = told(begin_conversation(case, "s"), "How many reads?", "Give me a moment.")
    assert told(now, "Pardon?")[1] == ["2,000 reads a second."]
    assert told(now, "", "let me think", "What was the question?")[1] == ["What do you change?"]


def test_a_fact_of_a_later_turn_is_put_off_and_not_denied(case: Case) -> None:
    now, said = told(begin_conversation(case, "s"), "How stale may a read be?")
    assert (said, now.given_fact_ids) == ([COMES_LATER_REPLY], ())
    later, _ = told(now, "", "8 read replicas and a cache.", "250 per second")
    assert told(later, "How stale may a read be?")[1] == ["Ten seconds."]


def test_a_wrong_step_is_doubted_once_and_mended_counts_seven_tenths(plan: Conversation) -> None:
    """By hand: 8 replicas serve 250 reads a second each; 500 is twice, 2500 ten times that. A misconception is quoted."""
    now, _ = told(plan, "8 read replicas and a cache.")
    for right in ("2,000 / 8, so 250", "250, I divided by the replicas"):
        read, _ = told(now, right)
        assert (read.turn_id, earned(read, "lag")) == ("pick", 1)
    for wrong, doubt in (("500", "factor of two"), ("2500", "powers of ten"), ("8000", "powers of ten")):
        doubted, said = told(now, wrong)
        assert doubt in said[0], (wrong, said)
        mended, _ = told(doubted, "250")
        (point,) = (p for p in judge_conversation(mended, {}).criterion_points if p.turn_id == "lag")
        assert (mended.turn_id, point.earned_points, point.unprompted_points) == ("pick", Fraction(7, 10), 0)
        assert mended.turn_response_text("lag") == "250"
        for again in ("500", "I'm sure"):
            stood, _ = told(doubted, again)
            assert (stood.turn_id, stood.turn_response_text("lag")) == ("pick", "500" if again == "500" else wrong)
    assert told(now, "260")[0].turn_id == "pick"


def test_the_words_of_a_branch_on_a_fact_are_the_question_that_is_repeated(tmp_path: Path) -> None:
    case = made(tmp_path, CASE.replace("unasked: reads", "asked: reads").replace("You never asked", "And say"))
    asked, _ = told(begin_conversation(case, "s"), "How many reads?", "", "Read replicas serve reads.")
    assert told(asked, "Could you repeat the question?")[1] == ["And say how much is read."]


def test_an_amount_that_is_twice_too_large_is_doubted(tmp_path: Path) -> None:
    number = "            - {id: size, say: 400 GB in all., number: {value: 400, unit: GB}, probe: How large is all of it?}\n"
    case = made(tmp_path, CASE.replace("        when:\n", number + "        when:\n"))
    begun, _ = told(begin_conversation(case, "s"), "How many reads?", "")
    for size, doubt in (("of 800", "Are you sure about 800 GB? "), ("of 30", ""), (", not 800", "")):
        assert told(begun, f"Read replicas and a cache {size} GB.")[1] == [f"{doubt}How large is all of it?"]


def test_a_wrong_belief_is_quoted_and_doubted_once_and_costs_nothing(tmp_path: Path) -> None:
    believed = '          misconceptions: [{match: "replica* {always current}", say: A replica is behind.}]\n'
    case = made(tmp_path, CASE.replace("          criteria:\n", believed + "          criteria:\n"))
    begun, _ = told(begin_conversation(case, "s"), "How many reads?", "")
    now, said = told(begun, "Read replicas and a cache. A replica is always current.")
    assert said == ["You say “A replica is always current”. Are you sure? Why?"]
    assert told(now, "No, it lags behind, I was wrong.")[0].turn_id == "pick"
    assert earned(now) == 3


def test_a_claim_that_names_one_of_several_cases_is_not_doubted(tmp_path: Path) -> None:
    accept = 'accept: ["cache*|redis|memcached"]'
    case = made(tmp_path, CASE.replace(accept, accept + ', reject: ["{is the disk}", "&&"]'))
    begun, _ = told(begin_conversation(case, "s"), "How many reads?", "")
    now, said = told(begun, "Read replicas and a cache. If reads are even but slow, it is the disk.")
    assert (now.turn_id, "sure" in said[0]) == ("pick", False)
    assert told(begun, "If slow, it is the disk. " * 1100)[0].turn_id == "plan"  # many of them end in no traceback
    for claim in ("It is the disk.", "&&"):
        assert "Are you sure?" in told(begun, f"Read replicas and a cache. {claim}")[1][0]


def test_a_question_with_a_number_of_its_own_says_so(tmp_path: Path) -> None:
    """A candidate with 8 replicas was asked about "a shop of four replicas" without a word."""
    case = made(tmp_path, CASE.replace("Which of these can go stale?", "There are 4 replicas. Which can go stale?"))
    now, _ = told(begin_conversation(case, "s"), "How many reads?", "", "8 read replicas and a cache.")
    (said,) = told(now, "250")[1]
    assert said == "You took 8 replicas; this question takes another. There are 4 replicas. Which can go stale?"


def test_an_answer_beside_a_question_is_taken_and_the_question_gets_its_reply(
    plan: Conversation, lag: Conversation
) -> None:
    """At a choice, a number and a text; a candidate's own question ("what do I add? ...") gets none."""
    pick, _ = told(lag, "250")
    key = next(letter for letter in "ABC" if pick.current_turn_variant.score(letter).earned)
    turns = {"plan": plan, "lag": lag, "pick": pick}
    for asked_in, said_text, turn, reply in TALK["answers_beside"]:
        now, text = turns[asked_in], said_text.format(key=key, small=key.lower())
        then, said = told(now, text)
        assert then.turn_id == turn, text
        assert reply in " ".join(said[:1]), (text, said)
        assert then.item_variant_of_turn(now.turn_id).score(then.turn_response_text(now.turn_id)).earned > 0


@pytest.mark.parametrize(("remark", "reply"), TALK["beside"].items())
def test_a_remark_beside_an_answer_gets_its_reply_and_costs_nothing(
    plan: Conversation, remark: str, reply: str | None
) -> None:
    """In front of the answer and behind it. A question that the candidate answers himself gets none in front."""
    answer = "I put read replicas behind a cache."
    alone, said = told(plan, answer)
    assert told(plan, remark)[0].turn_response_text("plan") == ""
    for text in (f"{remark} {answer}", f"{answer} {remark}")[: 1 if remark.endswith("?") and reply is None else 2]:
        now, heard = told(plan, text)
        more = [line for line in heard if line not in said]
        assert (reply in " ".join(more)) if reply else not more, (text, heard)
        assert now.item_variant_of_turn("plan").score(now.turn_response_text("plan")).earned == 3
    assert alone.item_variant_of_turn("plan").score(alone.turn_response_text("plan")).earned == 3


def test_who_asks_what_is_wanted_hears_the_author_s_other_words(case: Case) -> None:
    """A follow-up question is said behind them."""
    other = "One change, with {replicas} copies."
    turns = tuple(replace(one, rephrasing_template=other) if one.id == "plan" else one for one in case.turns)
    plan, _ = told(begin_conversation(replace(case, turns=turns), "s"), "How many reads?", "")
    wishes = (
        "What do you want from me here?",
        "Could you put that in fewer words?",
        "Are you after the cause or the cure?",
        "Can you say that in other words?",
        "Could you word that differently?",
    )
    for wish in wishes:
        assert "In other words: One change, with" in told(plan, wish)[1][0], wish
    probed, said = told(plan, "I add read replicas.")
    assert f"And within that: {said[-1]}" in told(probed, wishes[0])[1][0]
    asking = tuple(replace(one, rephrasing_template="You ask, I answer.") for one in case.turns)
    first = begin_conversation(replace(case, turns=asking), "s")
    assert "In other words: You ask, I answer." in told(first, "Could you rephrase that?")[1][0]


def test_a_number_that_is_said_again_is_no_correction_and_one_in_a_question_no_answer(lag: Conversation) -> None:
    """ "5.2 ms, as I said" was noted as two replicas, "Was it twenty billion a day?" read as an answer of 20e9 a day."""
    for text in ("As I said, 8 replicas.", "About 5.2 ms, as I said."):
        assert told(lag, text)[0].number_by_commitment["replicas"] == 8, text
    assert not told(lag, "Was it two hundred a second?")[0].turn_response_text("lag")


def test_a_noted_number_is_corrected_at_any_turn_and_the_question_asked_anew(lag: Conversation) -> None:
    for text in (
        "No, I said 4 replicas.",
        "Wait, you noted that wrong: I chose 4",
        "Sorry, I said replicas = 4, not 8.",
    ):
        now, said = told(lag, text)
        assert (now.turn_id, now.number_by_commitment["replicas"], now.turn_response_text("lag")) == ("lag", 4, "")
        assert said == ["Sorry, I misheard: 4 replicas.", "With 4 replicas, how many reads a second does each serve?"]
        assert told(now, "500")[0].turn_id == "pick"
    assert told(lag, "Hang on, I never chose 8 replicas.")[1] == ["Sorry, then I misheard. Which replicas do you take?"]


@pytest.mark.parametrize("text", TALK["manners"])
def test_an_answer_behind_manners_is_an_answer(plan: Conversation, text: str) -> None:
    now, _ = told(plan, text)
    assert split_sentences(text)[-1] in now.turn_response_text("plan")


def test_a_text_that_was_not_taken_for_an_answer_is_one_when_its_candidate_says_so(plan: Conversation) -> None:
    now, said = told(plan, "One.")
    assert said == ["Is that your answer? If so, say “yes”. The question was: What do you change?"]
    assert not now.turn_response_text("plan")
    now, _ = told(now, "Yes, that is my answer.")
    assert now.turn_response_text("plan") == "One."


def test_the_weights_of_intents_were_learned_from_the_examples() -> None:
    """train_intents.py was run after the examples changed, and the weights that ship know most of a third of them."""
    assert f"# {examples_digest(EXAMPLES)}" in listening.INTENT_WEIGHTS_PATH.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]
    wishes = shipped.part_of([row for row in rows if row["intent"] != "answer"], 0)
    known = 0
    for row in wishes:
        words = stems_by_part(shipped_cases()[row["case"]], row["turn"])
        shares = listening.probabilities_by_intent(row["line"], words)
        known += row["intent"] == max(shares, key=shares.__getitem__)
    assert known > 0.95 * len(wishes)


def test_who_speaks_of_himself_in_the_first_turn_asks_for_nothing_by_that(case: Case) -> None:
    """ "I haven't interviewed in six years" drew a fact, and was scored as a question for it."""
    now, said = told(
        begin_conversation(case, "s"), "I'm a bit nervous, I haven't talked to a database person in years."
    )
    assert "No problem" in said[0], said
    assert not now.turn_response_text("ask")
    now, said = told(
        begin_conversation(case, "s"), "I haven't interviewed in six years, anyway: how many reads are there?"
    )
    assert now.turn_response_text("ask") == "how many reads are there?"
    assert "2,000 reads a second." in said


def test_a_reply_beside_a_question_for_a_fact_repeats_no_question(case: Case) -> None:
    _, said = told(begin_conversation(case, "s"), "And is that per user or over all? How large is the table?")
    assert "400 GB." in said
    assert not any("What do you want to know" in line for line in said)


@pytest.mark.parametrize("text", TALK["meanings"])
def test_a_meaning_asked_for_in_any_words_is_told_and_earns_nothing(case: Case, text: str) -> None:
    begun = begin_conversation(case, "s")
    for now in (begun, told(begun, "How many reads?", "")[0]):
        after, said = told(now, text)
        assert said == ["How far a replica is behind."]
        assert not after.turn_response_text(now.turn_id)


@pytest.mark.parametrize(("text", "reply"), TALK["told_again"].items())
def test_what_was_told_is_told_again_and_never_denied(case: Case, text: str, reply: str) -> None:
    """Also what was not told yet; nothing that was told is a point once more."""
    now, _ = told(begin_conversation(case, "s"), "How many reads are there?")
    after, said = told(now, text)
    assert said[0].startswith(reply), said
    assert (after.turn_response_text("ask") != now.turn_response_text("ask")) == (reply == "400 GB.")
    beside, said = told(told(now, "")[0], f"{text} I put read replicas behind a cache.")
    assert reply in said[0] or not said[0].startswith("Nothing"), said
    assert beside.item_variant_of_turn("plan").score(beside.turn_response_text("plan")).earned == 3


@pytest.mark.parametrize(
    "text", ["Mind saying that again? A lorry went by.", "Come again on the part right at the end?"]
)
def test_a_wish_to_hear_the_question_is_met_in_every_turn(case: Case, text: str) -> None:
    begun = begin_conversation(case, "s")
    assert told(begun, text)[1] == ["A shop's database gets slow. Since the spring sale. What do you want to know?"]
    plan, _ = told(begun, "How many reads?", "")
    assert told(plan, text)[1] == ["What do you change?"]
    assert told(plan, f"{text} I put read replicas behind a cache.")[1][0].startswith("I asked: What do you change?")


def test_each_of_two_wishes_gets_its_sentence(plan: Conversation) -> None:
    for now in (plan, told(plan, "8 read replicas and a cache.", "250 per second")[0]):
        said = told(now, "Is it okay if I think aloud, and how many questions are still to come?")[1]
        assert said[0].startswith("Please do")
        assert "part 2 of 2" in said[1]
    assert said[1].endswith("This is the last question.")


def test_who_has_asked_for_all_facts_hears_of_no_others(tmp_path: Path) -> None:
    case = made(tmp_path, CASE.replace("Then let us begin.", "Then let us begin. What you did not ask for, assume."))
    _, said = told(begin_conversation(case, "s"), "How many reads?", "")
    assert said[0] == "Then let us begin. What you did not ask for, assume."
    asked, _ = told(begin_conversation(case, "s"), "How many reads, and how large is the table?")
    assert told(asked, "")[1][0] == "Then let us begin."
