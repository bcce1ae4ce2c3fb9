"""The instructions: they have versions, and say what keeps maker and checker apart."""

import pytest

from quality.drafting.prompts.load import prompt


@pytest.mark.parametrize("name", ["writer", "sceptic", "judge"])
def test_an_instruction_has_a_version_and_calls_its_documents_data(name):
    text, version = prompt(name)
    assert version == f"{name}-1"
    assert "data" in text
    assert "version:" not in text


def test_the_sceptic_is_told_to_attack_and_not_to_write():
    text, _ = prompt("sceptic")
    assert "You attack" in text
    assert "never write a better version" in text


def test_the_writer_is_told_to_set_no_marks_and_to_claim_no_method():
    text, _ = prompt("writer")
    assert "Write no citation marks" in text
    assert "Do not say that you did something" in text
