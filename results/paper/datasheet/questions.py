"""The questions of the datasheet under their numbers, and the answers to choose from.

After Shimorina and Belz (2022), "The Human Evaluation Datasheet: A Template for Recording Details
of Human Evaluation Experiments in NLP" (HEDS 2.0). Questions are worded more briefly than there.
"""

from dataclasses import dataclass

VERSION = "HEDS 2.0"
OTHER = "Other"


@dataclass(frozen=True)
class Question:
    """options: what to choose from, one of them or `several`; a text goes with every answer."""

    number: str
    text: str
    options: tuple[str, ...] = ()
    several: bool = False


@dataclass(frozen=True)
class Section:
    """per_criterion: answered for every quality criterion, that is for every facet."""

    key: str
    title: str
    questions: tuple[Question, ...]
    per_criterion: bool = False


MATERIAL = (
    "raw/structured data",
    "deep linguistic representation (DLR)",
    "shallow linguistic representation (SLR)",
    "text: subsentential unit of text",
    "text: sentence",
    "text: multiple sentences",
    "text: document",
    "text: dialogue",
    "text: other",
    "speech",
    "visual",
    "multi-modal",
)
TASKS = (
    "content selection/determination",
    "content ordering/structuring",
    "aggregation",
    "referring expression generation",
    "lexicalisation",
    "deep generation",
    "surface realisation (SLR to text)",
    "feature-controlled text generation",
    "data-to-text generation",
    "dialogue turn generation",
    "question generation",
    "question answering",
    "paraphrasing/lossless simplification",
    "compression/lossy simplification",
    "machine translation",
    "summarisation (text-to-text)",
    "end-to-end text generation",
    "image/video description",
    "post-editing/correction",
    OTHER,
)
PAPER = Section(
    "paper",
    "Paper and supplementary resources",
    (
        Question("1.1", "Link to the paper that reports the experiment, and which one of it"),
        Question("1.2", "Link to the resources used in the experiment"),
        Question("1.3", "Who completed this sheet, and whom to contact"),
    ),
)
SYSTEMS = Section(
    "systems",
    "Evaluated systems",
    (
        Question(
            "2.1",
            "Type of input of the systems",
            (*MATERIAL, "control feature", "no input (human generation)", OTHER),
            several=True,
        ),
        Question(
            "2.2",
            "Type of output of the systems",
            (*MATERIAL, "human-generated ‘outputs’", OTHER),
            several=True,
        ),
        Question("2.3", "Task of the systems", TASKS, several=True),
        Question("2.4", "Language of the input"),
        Question("2.5", "Language of the output"),
    ),
)
DESIGN = Section(
    "design",
    "Output sample, evaluators and experimental design",
    (
        Question("3.1.1", "Number of outputs evaluated per system"),
        Question(
            "3.1.2",
            "How outputs were selected",
            (
                "by an automatic random process from a larger set",
                (
                    "by an automatic random process but using stratified sampling over given "
                    "properties"
                ),
                "by manual, arbitrary selection",
                (
                    "by manual selection aimed at achieving balance or variety relative to given "
                    "properties"
                ),
                OTHER,
            ),
        ),
        Question("3.1.3", "Statistical power of the sample"),
        Question("3.2.1", "Number of evaluators"),
        Question(
            "3.2.2",
            "Kind of evaluators",
            (
                "experts",
                "non-experts",
                "paid (including non-monetary compensation such as course credits)",
                "not paid",
                "previously known to authors",
                "not previously known to authors",
                "evaluators include one or more of the authors",
                "evaluators do not include any of the authors",
                OTHER,
            ),
            several=True,
        ),
        Question("3.2.3", "How evaluators were recruited"),
        Question("3.2.4", "Training and practice before the evaluation"),
        Question("3.2.5", "Other characteristics of the evaluators"),
        Question("3.3.1", "Whether the design was preregistered, and where"),
        Question("3.3.2", "How responses were collected"),
        Question(
            "3.3.3",
            "Quality assurance",
            (
                "evaluators are required to be native speakers of the language they evaluate",
                "automatic quality checking methods are used during/post evaluation",
                "manual quality checking methods are used during/post evaluation",
                "evaluators are excluded if they fail quality checks (often or badly enough)",
                "some evaluations are excluded because of failed quality checks",
                "none of the above",
                OTHER,
            ),
            several=True,
        ),
        Question("3.3.4", "What evaluators saw"),
        Question(
            "3.3.5",
            "How free evaluators were in when and how quickly they worked",
            (
                "evaluators have to complete each individual assessment within a set time",
                "evaluators have to complete the whole evaluation in one sitting",
                "neither of the above",
                OTHER,
            ),
            several=True,
        ),
        Question(
            "3.3.6",
            "Whether evaluators were told that they could ask questions or give feedback",
            (
                (
                    "evaluators are told they can ask any questions during/after receiving initial "
                    "training/instructions, and before the start of the evaluation"
                ),
                "evaluators are told they can ask any questions during the evaluation",
                (
                    "evaluators are asked for feedback and/or comments after the evaluation, "
                    "e.g. via an exit questionnaire or a comment box"
                ),
                "none of the above",
                OTHER,
            ),
            several=True,
        ),
        Question(
            "3.3.7",
            "Conditions in which evaluators worked",
            (
                (
                    "evaluation carried out by evaluators at a place of their own choosing, e.g. "
                    "online, using a paper form, etc."
                ),
                "evaluation carried out in a lab, and conditions are the same for each evaluator",
                "evaluation carried out in a lab, and conditions vary for different evaluators",
                (
                    "evaluation carried out in a real-life situation, and conditions are the "
                    "same for each evaluator"
                ),
                (
                    "evaluation carried out in a real-life situation, and conditions vary for "
                    "different evaluators"
                ),
                (
                    "evaluation carried out outside of the lab, in a situation designed to "
                    "resemble a real-life situation, and conditions are the same for each evaluator"
                ),
                (
                    "evaluation carried out outside of the lab, in a situation designed to "
                    "resemble a real-life situation, and conditions vary for different evaluators"
                ),
                OTHER,
            ),
        ),
        Question("3.3.8", "The range of these conditions, unless evaluators chose the place"),
    ),
)
CRITERION = Section(
    "criterion",
    "Quality criterion",
    (
        Question("4.1.1", "Type of quality assessed", ("Correctness", "Goodness", "Feature")),
        Question(
            "4.1.2",
            "Aspect of the output assessed",
            ("Form of output", "Content of output", "Both form and content of output"),
        ),
        Question(
            "4.1.3",
            "Assessed in its own right, or relative to what",
            (
                "Quality of output in its own right",
                "Quality of output relative to the input",
                "Quality of output relative to a system-external frame of reference",
            ),
        ),
        Question("4.2.1", "Objective or subjective judgment", ("Objective", "Subjective")),
        Question("4.2.2", "Absolute or relative terms", ("Absolute", "Relative")),
        Question("4.2.3", "Intrinsic or extrinsic", ("Intrinsic", "Extrinsic")),
        Question("4.3.1", "Name of the criterion as evaluators saw it"),
        Question("4.3.2", "Definition of the criterion as evaluators saw it"),
        Question("4.3.3", "Size of the scale or other rating instrument"),
        Question("4.3.4", "Its possible values"),
        Question(
            "4.3.5",
            "How the instrument was presented",
            ("Multiple-choice options", "Check-boxes", "Slider", "N/A", OTHER),
        ),
        Question("4.3.6", "The task, where there is no rating instrument"),
        Question("4.3.7", "The verbatim question or instruction"),
        Question(
            "4.3.8",
            "Form of response elicitation",
            (
                "(dis)agreement with quality statement",
                "direct quality estimation",
                "relative quality estimation (including ranking)",
                "counting occurrences in text",
                "qualitative feedback (e.g. via comments entered in a text box)",
                "evaluation through post-editing/annotation",
                "output classification or labelling",
                "user-text interaction measurements",
                "task performance measurements",
                "user-system interaction measurements",
                OTHER,
            ),
        ),
        Question("4.3.9", "How responses were aggregated into scores"),
        Question("4.3.10", "Methods for effect size and significance"),
        Question("4.3.11", "Agreement between and within annotators"),
    ),
    per_criterion=True,
)
ETHICS = Section(
    "ethics",
    "Ethics",
    (
        Question("5.1", "Approval by a research ethics committee"),
        Question("5.2", "Personal data (GDPR, Article 4) in outputs or responses"),
        Question("5.3", "Special categories of data (GDPR, Article 9)"),
        Question("5.4", "Impact assessments"),
    ),
)
SECTIONS = (PAPER, SYSTEMS, DESIGN, CRITERION, ETHICS)
