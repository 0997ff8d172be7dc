"""A simulated panel: 120 people of several kinds work the published study to its end.

They are sent by the panel, in one session or in two, and go back to it with the code on their page
(see `prolific`). In between they act through the very verbs that the pages call, in an order
drawn by seed, on a clock of their own. The simulation keeps its own books: who passed, who was
removed, what each is owed. `faults` compares them with what the database holds, and with what
the panel has paid by reward, screen-out and file.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_UP, Decimal
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annotation.models import Assignment, Participation, Question, Study
    from annotation.work.steps import Step
    from tests.annotation.prolific import Prolific

# How often somebody of a kind answers a control rightly, in the pilot and in the main round.
KINDS = {
    "careful": (60, 1.0, 1.0),
    "ordinary": (16, 0.9, 0.9),
    "careless": (16, 0.4, 0.4),
    # Good in the pilot, then not.
    "tiring": (12, 1.0, 0.3),
    "leaving": (8, 1.0, 1.0),
    "vanishing": (8, 1.0, 1.0),
}
# Who comes to no batch: the check is failed, or passed when all is answered; or the study is
# closed before anything was done.
IN_VAIN = {"hasty": 6, "too late": 3, "shut out": 3}
ROUNDS = ("pilot", "main")
CONTROLS = ("positive", "negative")
BASE = {"pilot": Decimal("1.00"), "main": Decimal("2.70")}
BONUS = {"pilot": Decimal("1.70"), "main": Decimal("0.00")}
SCREENED_OUT = Decimal("0.30")
MARK, FROM_CONTROLS = 0.7, 4


@dataclass
class Person:
    """One worker, and what the simulation knows of them."""

    name: str
    participation: "Participation"
    kind: str
    habit: str
    state: str = "consented"
    owed: Decimal = Decimal(0)
    controls: list[bool] = field(default_factory=list)
    batches: Counter[str] = field(default_factory=Counter)
    excluded: int = 0
    done: bool = False
    vanished: bool = False

    def knows(self, round_: str, rng: Random) -> bool:
        return rng.random() < KINDS[self.kind][1 + ROUNDS.index(round_)]


@dataclass
class Panel:
    """The people, the clock, and the batches that somebody is late with."""

    study: "Study"
    prolific: "Prolific"
    rng: Random
    now: datetime
    people: list[Person] = field(default_factory=list)
    late: list[tuple[datetime, Person, "Assignment"]] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    def run(self) -> None:
        """First everybody comes for the pilot, then who passed works until nothing is left."""
        for round_ in ROUNDS:
            while waiting := [one for one in self.people if self.is_waiting(one, round_)]:
                # Who tires is keen at first.
                weights = [9 if one.kind == "tiring" else 1 for one in waiting]
                self.step(self.rng.choices(waiting, weights)[0])
            while self.late:
                self.now = max(self.now, self.late[0][0])
                self.hand_in_late()
            if round_ == "pilot":
                self.send_again()
        self.come_in_vain()
        for person in self.people:
            self.prolific.take_back(person.name, vanished=person.vanished)
        self.prolific.pay_file()

    def send_again(self) -> None:
        """Some get their reward for the pilot, and come back in a session for the main round."""
        for person in self.people:
            if person.habit == "two sessions":
                self.prolific.take_back(person.name)
                self.prolific.send(person.name, "main")
        self.prolific.pay_file()

    def come_in_vain(self) -> None:
        from annotation.rounds.opening import close_study

        for kind, people in IN_VAIN.items():
            for number in range(people):
                self.come_for_nothing(f"{kind.replace(' ', '-')}-{number}", kind)
        close_study(study=self.study)

    def come_for_nothing(self, name: str, kind: str) -> None:
        person = Person(name, self.prolific.send(name, "both"), kind, "plain")
        self.people.append(person)
        if kind != "shut out":
            self.prolific.ask(name, understood=kind == "too late")
            person.state, person.owed = "screened_out", SCREENED_OUT

    def is_waiting(self, person: Person, round_: str) -> bool:
        is_late = any(other is person for _, other, _ in self.late)
        return not (person.done or is_late or (round_ == "pilot" and person.batches))

    def step(self, person: Person) -> None:
        from annotation.work.assignment import NothingLeft, Reason, lease_batch

        self.now += timedelta(minutes=1)
        self.hand_in_late()
        batch = lease_batch(participation=person.participation, now=self.now)
        if not isinstance(batch, NothingLeft):
            self.work(person, batch)
            return
        self.seen[batch.why] += 1
        if batch.why == Reason.HELD_BY_OTHERS:
            self.now += timedelta(minutes=10)
        else:
            # Who is late may yet be removed, and leave room to others.
            person.done = batch.why != Reason.ALL_ANSWERED or not self.late

    def work(self, person: Person, batch: "Assignment") -> None:
        round_ = batch.round.name
        if person.kind == "vanishing" and round_ == "main":
            person.done = person.vanished = True
            self.seen["vanished"] += 1
            return
        if person.kind == "leaving" and round_ == "main":
            self.leave(person, batch)
            return
        if person.habit == "late" and self.rng.random() < 0.5:
            self.late.append((self.now + timedelta(minutes=90), person, batch))
            self.seen["late"] += 1
            return
        self.hand_in(person, batch)

    def hand_in_late(self) -> None:
        due = [one for one in self.late if one[0] <= self.now]
        self.late = [one for one in self.late if one[0] > self.now]
        for _, person, batch in due:
            batch.refresh_from_db()
            self.hand_in(person, batch)

    def hand_in(self, person: Person, batch: "Assignment") -> None:
        from annotation.models import Assignment
        from annotation.work.submission import submit

        right = self.fill(person, batch)
        submit(assignment=batch, now=self.now)
        if person.habit == "two tabs":
            # The other tab sends the same batch once more.
            submit(assignment=Assignment.objects.get(pk=batch.pk), now=self.now)
        self.book(person, batch.round.name, right)

    def fill(self, person: Person, batch: "Assignment") -> list[bool]:
        """Answer every question; which controls were answered rightly, as the person meant it."""
        from annotation.models import Question

        right = []
        for step in self.steps(batch, part=1):
            question = Question.objects.select_related("unit").get(pk=step.question.pk)
            knows = person.knows(batch.round.name, self.rng)
            if question.unit.role in CONTROLS:
                right.append(knows)
            self.answer(person, step, chosen(question, rightly=knows))
        for step in self.steps(batch, part=2):
            self.answer(person, step, {"value": [str(self.rng.randint(0, 100))]})
        return right

    def steps(self, batch: "Assignment", *, part: int) -> "list[Step]":
        from annotation.work.steps import Steps

        return [one for one in Steps(batch).unanswered if one.part == part]

    def answer(self, person: Person, step: "Step", posted: dict[str, list[str]]) -> None:
        from annotation.work.drafts import StaleDraft, save_draft, show_question

        batch, question = step.assignment, step.question
        draft = show_question(step=step, now=self.now)
        save_draft(assignment=batch, question=question, posted=posted, revision=draft.revision)
        if person.habit == "two tabs" and self.rng.random() < 0.2:
            # The other tab was loaded before that save, and holds something else.
            other = (
                {"value": ["101"]} if "value" in posted else {"none": ["on"], "sentences": ["0"]}
            )
            try:
                save_draft(assignment=batch, question=question, posted=other, revision=0)
            except StaleDraft:
                self.seen["stale"] += 1

    def leave(self, person: Person, batch: "Assignment") -> None:
        """In the middle of a batch: some of its units are finished."""
        from annotation.rights.withdrawal import leave

        # The last batch may be short of normal units.
        of = batch.assignment_units.count()
        finished = self.rng.randint(0, of - 1)
        for step in [one for one in self.steps(batch, part=1) if one.position <= finished]:
            self.answer(person, step, {"none": ["on"]})
        for step in [one for one in self.steps(batch, part=2) if one.position <= finished]:
            self.answer(person, step, {"value": ["50"]})
        leave(participation=person.participation)
        share = BASE["main"] * finished / of
        person.owed += share.quantize(Decimal("0.01"), rounding=ROUND_UP)
        person.state, person.done = "left", True

    def book(self, person: Person, round_: str, right: list[bool]) -> None:
        """The simulation's own reading of the published rules."""
        person.batches[round_] += 1
        person.owed += BASE[round_]
        if round_ == "pilot":
            if all(right):
                person.owed += BONUS[round_]
            person.state = "qualified" if all(right) else "not_qualified"
            return
        person.owed += BONUS[round_]
        person.controls += right
        n = len(person.controls)
        if n >= FROM_CONTROLS and sum(person.controls) / n < MARK:
            person.state, person.excluded = "removed", person.batches["main"]


def chosen(question: "Question", *, rightly: bool) -> dict[str, list[str]]:
    """The sentences that a person who knows (or does not) chooses."""
    assert question.reference is not None
    sentences = [str(one) for one in question.reference["sentences"]]
    if rightly:
        return {"sentences": sentences} if sentences else {"none": ["on"]}
    return {"none": ["on"]} if sentences else {"sentences": ["0"]}


def gather(seed: int, *, now: datetime, every: int = 1) -> Panel:
    """The published study, opened, with everybody arrived, agreed and instructed.

    every: of each kind, one person in so many comes.
    """
    from annotation.entry.comprehension import take_check
    from annotation.entry.examples import mark_introduced
    from tests.annotation.prolific import Prolific
    from tests.annotation.published import open_published

    study = open_published()
    prolific = Prolific(study)
    panel = Panel(study=study, prolific=prolific, rng=Random(seed), now=now)
    right = [asked["right"] for asked in study.comprehension]
    kinds = [kind for kind, (number, _, _) in KINDS.items() for _ in range(number // every)]
    for number, kind in enumerate(kinds):
        habit = {0: "two tabs", 1: "late", 2: "two sessions"}.get(number % 6, "plain")
        name = f"person-{number}"
        participation = prolific.send(name, "pilot" if habit == "two sessions" else "both")
        # Not by the page: the way on from there begins a batch, on another clock.
        mark_introduced(participation=participation, now=now)
        take_check(participation=participation, number=1, chosen=right)
        panel.people.append(Person(name, participation, kind, habit))
    return panel


def faults(panel: Panel) -> list[str]:
    """Everything in which the database and the simulation's books differ."""
    from annotation.models import Annotation, Participation
    from annotation.work.ledger import earned

    found = []
    for person in panel.people:
        row = Participation.objects.get(pk=person.participation.pk)
        excluded = Annotation.objects.filter(assignment__participation=row).exclude(
            excluded_reason=""
        )
        ours = (person.state, person.owed, person.excluded)
        theirs = (
            row.state,
            sum((amount for amount, _ in earned(row)), Decimal(0)),
            excluded.values("assignment").distinct().count(),
        )
        if ours != theirs:
            found.append(f"{row} ({person.kind}, {person.habit}): {ours} is {theirs}")
        if (paid := panel.prolific.paid[person.name]) != person.owed:
            found.append(f"{row} ({person.kind}, {person.habit}): {person.owed} paid as {paid}")
    return found + _units_at_fault(panel.study)


def _units_at_fault(study: "Study") -> list[str]:
    from annotation.models import Annotation, AssignmentUnit, Place

    found = []
    normal = Place.objects.filter(round__study=study, role="normal")
    for place in normal.exclude(held=0, counted=study.overlap):
        found.append(f"{place.unit} in {place.round}: {place.held} held, {place.counted} counted")
    standing = Counter(
        Annotation.objects.filter(study=study, question__unit__role="normal")
        .standing()
        .values_list("question", "round")
    )
    found += [f"question {key}: {n} answers" for key, n in standing.items() if n != study.overlap]
    if len(standing) != 2 * normal.count():
        found.append(f"{len(standing)} questions answered, not {2 * normal.count()}")
    if AssignmentUnit.objects.filter(holds=True).exists():
        found.append("something is still held")
    return found


def summary(panel: Panel) -> dict[str, Any]:
    """What became of everybody, in numbers."""
    from annotation.models import AssignmentUnit

    return {
        "states": dict(Counter(person.state for person in panel.people)),
        "batches": dict(sum((person.batches for person in panel.people), Counter())),
        "owed": str(sum(person.owed for person in panel.people)),
        "seen": dict(panel.seen),
        "codes": dict(panel.prolific.taken),
        "surplus": AssignmentUnit.objects.filter(outcome="surplus").count(),
    }
