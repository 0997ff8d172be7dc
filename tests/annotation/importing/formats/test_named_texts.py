from annotation.importing.formats.named_texts import output_field, turns_in


def test_what_outputs_are_about_is_an_output_only_where_nothing_else_could_be() -> None:
    assert output_field({"question": "Why?", "model": "alder", "reply": "So."}) == "reply"
    assert output_field({"question": "Why?", "reply": "So.", "answer": "No."}) == "answer"
    assert output_field({"question": "Why?"}) == "question"
    assert output_field({"n": 1, "empty": " "}) == ""


def test_a_message_may_name_its_text_and_its_speaker_otherwise() -> None:
    talk = [
        {"author": "user", "text": "Hi."},
        {"role": "assistant", "content": "Ho."},
        {"role": "user", "parts": ["Hm."]},
    ]
    turns = turns_in({"n": 1, "talk": talk})
    assert [turn.role for turn in turns] == ["user", "assistant", "user"]
    assert [turn.words for turn in turns] == ["Hi.", "Ho.", "Hm."]
