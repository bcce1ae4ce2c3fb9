"""What writer and sceptic say about the example leads: our own writing, round by round.

Belongs here: the words, and which words of which source each block rests on. Does not belong here: asking, recording.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Said:
    """One block of an answer; ``words`` stand in the source of this position among the lead's sources."""

    text: str
    words: str | None = None
    source: int = 0


@dataclass(frozen=True)
class Point:
    """One objection of the sceptic."""

    point: str
    kind: str
    passage: str | None = None
    source: str | None = None


@dataclass(frozen=True)
class Round:
    """One round of one lead; ``refuses``: the writing model refuses, and nobody is asked any more."""

    blocks: tuple[Said, ...] = ()
    points: tuple[Point, ...] = ()
    refuses: bool = False


VALLEY = (
    Said("# Street trees in narrow valleys at night\n\n"),
    Said(
        "In two narrow valleys, streets under dense crowns were slightly warmer at night than open ones.",
        "In the two narrowest valleys the sign turned: under dense crowns the night was slightly warmer",
    ),
    Said(
        " The crowns kept away the cold air that drains down the slopes.",
        "because the canopy kept the cold air that drains down the slopes from reaching the ground",
    ),
    Said(
        " Cutting the lower branches to four metres brought most of the cooling back.",
        "Pruning the lower branches to a clear height of four metres restored most of the night-time cooling",
    ),
    Said("\n"),
)
ROOF = (
    Said("# Rain on roof gardens\n\n"),
    Said(
        "A roof garden holds between 54 and 67 per cent of the yearly rain, depending on the depth of its soil.",
        "With a substrate of eight centimetres a roof held 54 per cent of the yearly rain, with fifteen centimetres 67 per cent.",
    ),
    Said(
        " In the ten heaviest storms it was 19 per cent on average.",
        "In the ten heaviest storms of the period the mean was 19 per cent",
    ),
    Said(
        " So sewers should not count on it for extreme days.",
        "should not be counted in its design for extreme ones",
    ),
    Said("\n"),
)
PRAM_WRONG = Said(
    "Air at the height of a child is 3.1 degrees hotter.",
    "Over dark asphalt the lowest sensor read 3.1 degrees more than the highest",
)
PRAM_RIGHT = Said(
    "Over dark asphalt the lowest sensor read 3.1 degrees more than the one at two metres, over grass 0.7 degrees.",
    "Over dark asphalt the lowest sensor read 3.1 degrees more than the highest; over grass 0.7 degrees",
)
PRAM_WIND = Said(
    " Wind above two metres a second took half of the difference away.",
    "A breeze above two metres a second removed half of the difference.",
)
STREETS = (
    Said("# 遮荫与夏季步行\n\n"),
    Said(
        "气温超过三十二摄氏度时，遮荫率每提高一成，午后行人平均增加百分之六。",
        "当气温超过三十二摄氏度时，遮荫率每提高一成，午后行人数量平均增加百分之六",
    ),
    Said(
        "连续的遮荫比总量更重要，五十米的暴晒路面足以使三分之一的行人改道。",
        "连续的遮荫比总量更重要：一段五十米的暴晒路面足以使三分之一的行人改道",
    ),
)
BUSES = (
    Said("# Night buses and early shifts\n\n"),
    Said(
        "A year after four night lines had started, the share of car trips had fallen from 38 to 24 per cent.",
        "One year after the introduction the share of car trips had fallen to 24 per cent.",
    ),
    Said(" Lateness fell by a third.", "Lateness, which the firms record, fell by a third."),
    Said("\n"),
)
BOG = (
    Said("# Rewetting a drained bog\n\n"),
    Said(
        "For two years after rewetting, methane outweighed what was gained.",
        "In the first two years methane rose so much that the rewetted bogs were the stronger source of warming.",
    ),
    Said(
        " From the fourth year the bogs were close to neutral, as doi:10.5555/fne.2099.404 confirms.",
        "From the fourth year on they were close to neutral",
    ),
    Said("\n"),
)
ROOMS = (
    Said("# Who uses cool rooms\n\n"),
    Said(
        "Water and a toilet count for more than the temperature.",
        "Water and a toilet mattered more than the temperature",
        1,
    ),
    Said(
        " Bedrooms under white roofs are cooler by 2.3 degrees on the hottest afternoons.",
        "Bedrooms under white roofs were 2.3 degrees cooler on the hottest afternoons",
    ),
    Said("\n"),
)

SCRIPTS: dict[str, tuple[Round, ...]] = {
    "valley-trees": (Round(VALLEY),),
    "roof-rain": (Round(ROOF),),
    "pram-heat": (
        Round(
            (Said("# Heat at the height of a child\n\n"), PRAM_WRONG, PRAM_WIND, Said("\n")),
            (
                Point(
                    "The difference was measured over dark asphalt; over grass it was 0.7 degrees.",
                    "distorted",
                    "Air at the height of a child is 3.1 degrees hotter.",
                    "ex-03",
                ),
            ),
        ),
        Round((Said("# Heat at the height of a child\n\n"), PRAM_RIGHT, PRAM_WIND, Said("\n"))),
    ),
    "old-streets": (
        Round((*STREETS, Said("北方城市的结果也会一样。\n"))),
        Round((*STREETS, Said("\n"))),
    ),
    "night-buses": tuple(
        Round(BUSES, (Point(point, kind, passage, "ex-08"),))
        for point, kind, passage in (
            ("One in three shared a ride before; the draft leaves it out.", "omitted", None),
            ("The lines were hardly used on Sundays; the draft leaves it out.", "omitted", None),
            ("The firms themselves recorded the lateness.", "distorted", "Lateness fell by a third."),
            ("The largest effect was on who could be hired, and it is missing.", "omitted", None),
        )
    ),
    "wet-bogs": (Round(BOG),) * 3,
    "tool-lockers": (Round(refuses=True),),
    "cool-rooms": (
        Round(
            ROOMS,
            (
                Point(
                    "White roofs have nothing to do with the use of cool rooms.",
                    "other",
                    "Bedrooms under white roofs are cooler by 2.3 degrees on the hottest afternoons.",
                    "ex-41",
                ),
            ),
        ),
        Round((Said("# Who uses cool rooms\n\nWater and a toilet count for more than the temperature.\n"),)),
    ),
}
