from imports.formats.tools.named_texts import turns_in


def test_a_message_may_name_its_text_and_its_speaker_otherwise() -> None:
    talk = [
        {"author": "user", "text": "Hi."},
        {"role": "assistant", "content": "Ho."},
        {"role": "user", "parts": ["Hm."]},
    ]
    turns = turns_in({"n": 1, "talk": talk})
    assert [turn.role for turn in turns] == ["user", "assistant", "user"]
    assert [turn.words for turn in turns] == ["Hi.", "Ho.", "Hm."]
