"""The gate's rules as configuration: which of them block, and from where on.

Belongs here: the names of the rules, their modes and limits.
Does not belong here: judging a report (``decide``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from quality.errors import ConfigError
from quality.model import Mode


class Rule(StrEnum):
    """What the gate asks of a report."""

    UNREADABLE = "unreadable"  # it could be read
    DUPLICATE_ID = "duplicate_id"  # its id was not taken
    INBOUND_RATE = "inbound_rate"
    CITED = "cited"
    DIRTY_ENTRIES = "dirty_entries"
    IDENTIFIERS = "identifiers"  # off where no registry is configured
    LOCATORS = "locators"  # plain addresses, and works without identifier that were looked for by title
    METHOD_HONESTY = "method_honesty"  # its method claims are backed by its evidence manifest
    DRAFT = "draft"  # a draft of our own loop was verified


METHOD_CLAIMS = "method claims"
"""What is not checked in a batch in which no report came with an evidence manifest."""

NOT_CHECKED = ("identifiers", METHOD_CLAIMS)
"""What the gate does not look at unless its input was supplied: said aloud in every audit block."""


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """Modes and limits of the rules; a rule without a mode has its usual one.

    The limits come from the recipe in DESIGN: 0.5 stood under a healthy P10 of 0.857.
    """

    modes: Mapping[Rule, Mode] = field(default_factory=dict)
    min_inbound_rate: float = 0.5
    max_dirty_entries: int = 2

    def __post_init__(self) -> None:
        """Check the limits.

        Raises:
            ConfigError: a limit that no report could miss, or none could meet.
        """
        if self.modes.get(Rule.UNREADABLE, Mode.BLOCK) is not Mode.BLOCK:
            raise ConfigError(
                "The gate rule unreadable can only block: there is nothing to ingest of a report that could not be read.",
                remedy="Leave it out of [gate.modes].",
            )
        if not (math.isfinite(self.min_inbound_rate) and 0 < self.min_inbound_rate <= 1):
            raise ConfigError(
                f"The gate's min_inbound_rate is {self.min_inbound_rate}.",
                remedy="Give a share above 0, at most 1.",
            )
        if self.max_dirty_entries < 0:
            raise ConfigError(
                f"The gate's max_dirty_entries is {self.max_dirty_entries}.",
                remedy="Give a count of 0 or more.",
            )

    def mode(self, rule: Rule) -> Mode:
        """Give the mode of a rule."""
        return self.modes.get(rule, usual_mode(rule))


def usual_mode(rule: Rule) -> Mode:
    """Give the mode of a rule that no configuration names: a page that moved is a weaker sign than a missing DOI."""
    return Mode.RECORD if rule is Rule.LOCATORS else Mode.BLOCK


def parse_modes(written: Mapping[str, str]) -> dict[Rule, Mode]:
    """Turn configured names into rules and modes.

    Raises:
        ConfigError: a rule or a mode that does not exist; the message lists those that do.
    """
    modes = {}
    for rule, mode in written.items():
        if rule not in list(Rule):
            raise ConfigError(f"There is no gate rule {rule!r}.", remedy=f"Use one of {', '.join(Rule)}.")
        if mode not in list(Mode):
            raise ConfigError(
                f"The gate rule {rule} has the mode {mode!r}.", remedy=f"Use one of {', '.join(Mode)}."
            )
        modes[Rule(rule)] = Mode(mode)
    return modes
