"""What a reply has to be to count as a text about something: the rest is a failure with a reason.

Such a reply is paid for, is never the text of an item, and is asked for again by the next run.
"""

import unicodedata
from collections import Counter
from collections.abc import Collection

from judges.methods.conversation import Conversation
from judges.methods.conversation.conversation import ConversationReply
from judges.methods.refusals import is_refusal
from tasktypes.texts.citations import cited
from tasktypes.texts.surroundings import Surroundings

# Characters that tell in which script a text is.
_ENOUGH = 2_000
# Japanese is written in all three, and any of them alone.
_ONE_SCRIPT = {"HIRAGANA": "CJK", "KATAKANA": "CJK"}


def written_text(
    conversation: Conversation,
    reply: ConversationReply,
    *,
    about: Surroundings,
    thing: str,
    cites: Collection[int] = (),
) -> str:
    """The text in a reply; NoAnswer where it is empty, a refusal, in a script that nothing it is
    about is in, or cites none of the passages that it has to cite. thing: what it should be."""
    text = reply.text.strip()
    if not text:
        raise conversation.mark_unreadable(reply, "the reply is empty")
    if is_refusal(text):
        raise conversation.mark_unreadable(reply, f"there is no {thing}")
    if problem := text_problem(text, about, cites):
        raise conversation.mark_unreadable(reply, f"the {thing} {problem}")
    return text


def text_problem(text: str, about: Surroundings, cites: Collection[int] = ()) -> str:
    """Why it is not such a text, as in "the response …"; empty where it may be one."""
    expected = {
        main_script(part)
        for part in (about.claim, about.query, about.document, *(p.text for p in about.passages))
    } - {""}
    script = main_script(text)
    if script and expected and script not in expected:
        return f"is in another script ({script.lower()}) than what it is about"
    if cites and not set(cites) & set(cited(text)):
        return "cites none of its passages"
    return ""


def main_script(text: str) -> str:
    """The script of most letters, by the first word of their names in Unicode; empty without any.

    It tells Chinese from English, not German from English.
    """
    letters = (letter for letter in text[:_ENOUGH] if letter.isalpha())
    names = (unicodedata.name(letter, "").partition(" ")[0] for letter in letters)
    scripts = Counter(_ONE_SCRIPT.get(name, name) for name in names if name)
    return max(scripts, key=scripts.__getitem__, default="")
