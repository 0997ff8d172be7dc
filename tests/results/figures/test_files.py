"""Figures as files."""

from results.figures.drawing import PAPER, THEMES


def test_files_have_the_colours_of_the_pages() -> None:
    light, dark = THEMES["light"], THEMES["dark"]

    assert (light.ink, dark.ink) == ("#1f2328", "#e8e6e1")
    assert (light.parties[0], dark.parties[0]) == ("#1d5c63", "#7fc4c4")
    assert len(light.parties) == len(dark.parties) == 6
    assert light == PAPER
