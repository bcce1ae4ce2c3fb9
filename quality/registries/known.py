"""The registries that there are: one module and one row each.

Belongs here: which client speaks to which registry, and how fast it may be asked before it says so itself. Does not belong
here: which of them a home asks, for what and in which order; that is the table in its configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quality.registries.clients.arxiv_api import Arxiv
from quality.registries.clients.crossref import Crossref
from quality.registries.clients.datacite import DataCite
from quality.registries.clients.europepmc import EuropePmc
from quality.registries.clients.handle import Handles
from quality.registries.clients.pmc_ids import PmcIds
from quality.registries.clients.pubmed import PubMed
from quality.registries.clients.web import Web
from quality.registries.lookup import Registry


@dataclass(frozen=True, slots=True)
class Row:
    """One registry: how to make its row of a look-up, and what it can be asked for."""

    make: Callable[[str | None], Registry]
    covers: frozenset[str]


def _web(base: str | None) -> Registry:
    return Registry(Web(), Web.decides, per_second=2.0, at_once=2, breaks=False)


KNOWN: Mapping[str, Row] = {
    "crossref": Row(lambda b: Registry(Crossref(b) if b else Crossref(), Crossref.decides, 20.0), Crossref.covers),
    "datacite": Row(lambda b: Registry(DataCite(b) if b else DataCite(), DataCite.decides, 8.0), DataCite.covers),
    "europepmc": Row(lambda b: Registry(EuropePmc(b) if b else EuropePmc(), EuropePmc.decides, 8.0), EuropePmc.covers),
    "arxiv": Row(lambda b: Registry(Arxiv(b) if b else Arxiv(), Arxiv.decides, 1 / 3, 1), Arxiv.covers),
    "pubmed": Row(lambda b: Registry(PubMed(b) if b else PubMed(), PubMed.decides, 3.0, 2), PubMed.covers),
    "pmc": Row(lambda b: Registry(PmcIds(b) if b else PmcIds(), PmcIds.decides, 3.0, 2), PmcIds.covers),
    "doi.org": Row(lambda b: Registry(Handles(b) if b else Handles(), Handles.decides, 10.0), Handles.covers),
    "web": Row(_web, Web.covers),
}  # fmt: skip
"""Every registry by name. The paces are what each documents for callers that it does not know, or less."""

USUAL: Mapping[str, tuple[str, ...]] = {
    "doi": ("crossref", "datacite", "europepmc", "doi.org"),
    "shortdoi": ("doi.org",),
    "arxiv": ("arxiv", "datacite", "doi.org"),
    "pmid": ("pubmed", "europepmc"),
    "pmcid": ("pmc", "europepmc"),
    "url": ("web",),
}
"""A table that covers everything, to start from."""

CONTACTED = frozenset({"api.crossref.org"})
"""Hosts that ask callers for a contact address; no other host is told one."""
