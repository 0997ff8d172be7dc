"""Refusals in words: counted as such where no answer can be read, and nothing else is."""

import pytest

from judges.backends.contract import Failure, Reply
from judges.methods.refusals import is_refusal, unreadable


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, but I can't help with that.",
        "I’m sorry, but I can’t help with that.",
        "I‘m sorry, but I canʼt assist with that request.",
        "Im sorry but I cant help you.",
        "I am sorry, but I cannot assist you with this.",
        "I'm really sorry – I can not comply.",
        "I'm sorry. I won't provide a rating for this text.",
        "**I'm sorry, but I can't help with that.**",
        "\u201cI'm sorry, but I cannot answer that.\u201d",
        "Sorry, I'm unable to help with this.",
        "Sorry, but I am not able to judge this content.",
        "I apologize, but I cannot evaluate this.",
        "My apologies, but I will not participate in this.",
        "I\u00a0can\u2019t\u00a0assist with\nthat.",
        "I cannot fulfill your request.",
        "I can't do that.",
        "I must respectfully decline.",
        "I'm sorry, but I have to decline.",
        "As an AI language model, I cannot assist with this request.",
        "As an AI language model, I cannot provide a rating.",
        "I'm unable to evaluate this.",
        "Unfortunately, I cannot judge this.",
        "Es tut mir leid, aber ich kann Ihnen dabei nicht helfen.",
        "Leider kann ich diesen Text nicht bewerten.",
        "Ich kann diese Anfrage nicht beantworten.",
        "Je suis désolé, mais je ne peux pas vous aider.",
        "Je ne peux pas évaluer ce texte.",
        "Lo siento, pero no puedo ayudarte con eso.",
        "Desculpe, mas não posso ajudar com isso.",
        "Mi dispiace, ma non posso valutare questo testo.",
        "Het spijt me, maar ik kan hier niet bij helpen.",
        "很抱歉，我无法回答这个问题。",
        "对不起，我不能协助您完成该请求。",
        "我无法提供评分。",
        "申し訳ありませんが、そのリクエストにはお応えできません。",
        "죄송합니다. 그 요청은 도와드릴 수 없습니다.",
        "<think>It is harmful.</think>I’m sorry, but I can’t help with that.",
    ],
)
def test_a_refusal_in_words_is_counted_as_a_refusal(reply: str) -> None:
    failed = unreadable(Reply(text=reply), "the reply holds no JSON object")
    assert failed.failure is Failure.REFUSAL
    assert failed.error == "The model refused in words: the reply holds no JSON object."
    assert failed.text == reply


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Sorry.",
        "I'm sorry to hear that. The answer is 2.",
        "I'm sorry for the confusion: sentence 2.",
        "I cannot find a sentence that supports the claim.",
        "I can't determine which sentence is meant.",
        "I can see why one would not help.",
        "I cannot help but notice that sentence 1 fits.",
        "I will help: sentence 2.",
        "The author says: I'm sorry, but I can't help with that.",
        "None. I'm sorry, but I can't help with that.",
        "I cannot provide more than this: 2",
        "As an AI language model, I choose sentence 2.",
        "The model cannot assist with that.",
        "Es tut mir leid für den Autor: Satz 2.",
        "Leider passt nur Satz 2.",
        "Je ne peux pas dire autre chose : phrase 2.",
        "Lo siento por él: la frase 2.",
        "答案是第二句。",
        "文中说：很抱歉，我无法回答。",
        '{"sentences": [1, 2}',
    ],
)
def test_anything_else_stays_a_parse_failure(reply: str) -> None:
    assert not is_refusal(reply)
    failed = unreadable(Reply(text=reply), "why")
    assert (failed.failure, failed.error) == (Failure.PARSE_FAILURE, "why")
