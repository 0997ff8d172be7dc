"""The words of columns' names that tell what their cells are, in English and German.

A name says it by its last words (`original_sentence_id` is an id) or as a whole; contents decide.
"""

from collections.abc import Mapping

from files.columns.names import ASPECT, CRITERION, LABELS, words_of


def _set(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


RATERS = _set(
    "annotator annotators ann anno annot rater raters worker workers coder coders labeler labeller",
    "participant participants respondent subject crowdworker turker reviewer assessor observer",
    "expert evaluator grader judge user person pid prolific annotated_by rated_by",
    "bewerter bewerterin annotatorin gutachter gutachterin teilnehmer teilnehmerin proband",
    "probandin kodierer kodiererin versuchsperson nutzer prüfer juror jurorin experte expertin",
    "anotador anotadora evaluador evaluadora juez codificador annotatrice évaluateur",
    "vp wer who evaluateur juge annotateur student studentin",
)
SYSTEMS = _set(
    "system systems sys generator model models method approach engine bot chatbot algorithm",
    "summarizer summariser decoder llm modell modelle verfahren systeme methode système modèle",
)
# Systems that many comparisons have.
BASELINES = _set(
    "baseline lead lead3 human reference gold random rand t5 flan pegasus seq2seq bert",
    "textrank lexrank transformer rnn lstm bart pointer template tmpl nmt smt oracle ours referenz",
    "mensch vorlage falcon gpt2 gpt3 gpt4 turbo",
)
CRITERIA = (
    frozenset(ASPECT)
    | _set(
        "aspect criterion criteria dimension facet metric attribute property measure scale",
        "kriterium merkmal aspekt eigenschaft skala messgröße critère indicator",
    )
    | {"quality dimension"}
)
ANSWERS = frozenset(LABELS["label"]) | _set(
    "ratings scores labels votes points stars rank choice chosen preference preferred winner",
    "better best won picked selection selected result annotation likert",
    "wertung bewertung note noten punkte punktzahl urteil antwort sterne stimme wahl gewinner",
    "sieger besser score_value appréciation evaluation eval einschätzung rated mark",
)
CHOICES = _set(
    "winner better best preference preferred prefer choice chosen which won pick picked vote",
    "gewinner sieger besser bevorzugt wahl favorite favourite pairwise comparison label result",
)
# Criteria of texts, beside the English ones.
QUALITIES = CRITERION | _set(
    "flüssigkeit kohärenz verständlichkeit korrektheit treue relevanz grammatik lesbarkeit",
    "vollständigkeit nützlichkeit hilfreich stil natürlichkeit naturalness appropriateness",
    "engagement engagingness interestingness understandability correct fluent coherent relevant",
    "consistent helpful harmless factual factuality truthfulness plausibility novelty diversity",
    "politeness informative accurate concise clear useful complete fluidität sachlichkeit",
    "hallucination faithful specific sentiment acceptability acceptable redundancy repetition",
    "preservation structure logic logicality richness humor toxicity bias trust trustworthiness",
    "satisfaction effort difficulty confidence importance kürze klarheit inhalt aufbau genauigkeit",
    "ton sprache rechtschreibung interesse adequate content order support",
)
OUTPUTS = _set(
    "output outputs summary response explanation simplification translation hypothesis candidate",
    "generation generated prediction completion continuation paraphrase caption reply definition",
    "rewrite answer_text text texts sentence simplified summarization candidates story",
    "zusammenfassung ausgabe vereinfachung übersetzung erklärung kandidat traduction résumé",
    "hyp hypo gen message verbalization mt",
)
DOCUMENTS = _set(
    "document doc article original source context background passage premise input reference",
    "target history dialogue dialog conversation abstract facts src ref transcript meaning",
    "dokument artikel quelle quelltext original ausgangstext kontext vorlage eingabe texte_source",
    "review reviews report post body choices options orig",
)
QUERIES = _set("query prompt question instruction topic title task frage anfrage aufgabe thema")
CLAIMS = _set("claim assertion behauptung aussage")
PASSAGES = _set("evidence passages passage snippets belege")
# Beside claims and queries: what is said for and against them, what they can be answered from, and
# what somebody wrote about them.
EVIDENCE = PASSAGES | {"evidences", "snippet", "beleg", "retrieved"}
BACKGROUND = _set(
    "document documents doc docs article articles context contexts background",
    "dokument artikel kontext",
)
WRITTEN = _set(
    "output outputs summary response responses explanation explanations generated",
    "answer answers prediction predictions",
)
PARTS = _set("statement statements scu unit fact claim nugget aspect behauptung aussage")
ITEMS = _set(
    "item items text doc document sentence example stimulus instance question q frage satz",
    "paragraph absatz segment turn utterance tweet passage abschnitt topic thema page seite",
    "claim pair hit",
    "beispiel text item nr summary article story dialog dialogue response output task case trial",
)
IDENTITIES = _set(
    "id ids uid uuid guid key index idx nr no num number nummer code hash kennung schlüssel",
)
REMARKS = _set(
    "comment comments commentary reason reasons rationale note notes remark remarks feedback",
    "justification begründung kommentar kommentare anmerkung anmerkungen bemerkung bemerkungen",
    "why warum explain commentaire notizen explained thoughts",
)
# They tell of a sitting, a run, a text or a person, never how good something is.
ASIDE = _set(
    "time seconds secs duration minutes date timestamp days start end started ended submitted",
    "length tokens words cost price latency approval lifetime age gender sex country language",
    "education native experience expertise group status finished progress version batch",
    "reward expiration keywords split fold seed session ip browser consent email",
    "datum zeit zeitstempel dauer alter geschlecht sprache land muttersprache gruppe beginn ende",
    "hash checksum created updated order rank_order",
    "position_shown temperature channel nll logprob perplexity",
    "bleu rouge bertscore meteor chrf license url link path file filename count n anzahl",
    "wordcount charcount width height rejected approve reject attention",
)
# Of the rater, and not of the answer.
OF_RATERS = _set(
    "age gender sex country language education native experience expertise nationality",
    "alter geschlecht sprache land muttersprache herkunft bildung group gruppe approval lifetime",
)
# They stand for all answers to something.
SUMMARIES = _set(
    "majority consensus mean average avg median sd std stdev variance agreement aggregated gold",
    "truth final adjudicated agg overall_mean mittelwert durchschnitt mehrheit konsens sum total",
    "groundtruth aggregate gesamt schnitt moyenne summe",
)
TIES = _set(
    "tie ties tied equal same neither both similar draw gleich unentschieden none equally",
    "identical egal beide keine keiner even undecided",
)
NO_ANSWERS = frozenset(
    (
        *(
            "n/a",
            "na",
            "n.a.",
            "nan",
            "null",
            "none",
            "-",
            "–",
            "—",
            "--",
            "?",
            ".",
            "-9",
            "-99",
            "-999",
        ),
        *("not applicable", "no answer", "not answered", "skip", "skipped", "missing", "unknown"),
        *("don't know", "dont know", "do not know", "can't say", "cannot say", "not sure"),
        *("k.a.", "k. a.", "ka", "keine angabe", "weiß nicht", "weiss nicht", "entfällt"),
        *("prefer not to say", "no opinion", "unsure", "not rated", "#n/a", "undefined"),
    )
)
POSITIONS: Mapping[str, int] = {
    **dict.fromkeys(["a", "1", "first", "left", "one", "links", "erste", "erster", "x"], 0),
    **dict.fromkeys(["b", "2", "second", "right", "two", "rechts", "zweite", "zweiter", "y"], 1),
}


def last_words(name: str) -> frozenset[str]:
    """The words of a name without a bracket behind it and without numbers."""
    return frozenset(
        word for word in words_of(name.split("(", maxsplit=1)[0]) if not word.isdigit()
    )


# Words on a scale, from the lowest to the highest.
SCALES = tuple(
    tuple(each.split("|"))
    for each in (
        "strongly disagree|disagree|neutral|agree|strongly agree",
        "strongly disagree|disagree|neither agree nor disagree|agree|strongly agree",
        "strongly disagree|disagree|undecided|agree|strongly agree",
        "strongly disagree|disagree|somewhat disagree|neutral|somewhat agree|agree|strongly agree",
        "strongly disagree|disagree|agree|strongly agree",
        "strongly disagree|somewhat disagree|neutral|somewhat agree|strongly agree",
        "very poor|poor|fair|good|very good",
        "very poor|poor|average|good|very good",
        "very poor|poor|acceptable|good|very good",
        "very poor|poor|barely acceptable|good|very good",
        "very bad|bad|neutral|good|very good",
        "very bad|bad|ok|good|very good",
        "bad|poor|fair|good|excellent",
        "poor|fair|good|very good|excellent",
        "poor|fair|good|excellent",
        "terrible|bad|okay|good|excellent",
        "never|rarely|sometimes|often|always",
        "none|little|some|most|all",
        "none|little|much|most|all",
        "not at all|slightly|moderately|very|extremely",
        "not at all|somewhat|very",
        "not at all|a little|somewhat|mostly|completely",
        "very low|low|medium|high|very high",
        "low|medium|high",
        "bad|medium|good",
        "bad|ok|good",
        "no|partly|yes",
        "no|partially|yes",
        "no|somewhat|yes",
        "no|rather no|rather yes|yes",
        "nein|teilweise|ja",
        "nein|teils|ja",
        "nein|eher nein|eher ja|ja",
        "incorrect|partially correct|correct",
        "stimme überhaupt nicht zu|stimme nicht zu|neutral|stimme zu|stimme voll zu",
        "stimme gar nicht zu|stimme eher nicht zu|teils/teils|stimme eher zu|stimme voll zu",
        "stimme gar nicht zu|stimme eher nicht zu|teils/teils|stimme eher zu|stimme völlig zu",
        "trifft nicht zu|trifft eher nicht zu|teils/teils|trifft eher zu|trifft zu",
        "trifft gar nicht zu|trifft eher nicht zu|teils-teils|trifft eher zu|trifft voll zu",
        "sehr schlecht|schlecht|mittel|gut|sehr gut",
        "sehr schlecht|schlecht|mittelmäßig|gut|sehr gut",
        "sehr schlecht|schlecht|befriedigend|gut|sehr gut",
        "nie|selten|manchmal|oft|immer",
        "schlecht|mittel|gut",
        "niedrig|mittel|hoch",
    )
)
