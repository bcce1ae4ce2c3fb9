"""PubMed Central: the id converter, which says whether a PMCID exists and what else the article is called.

Belongs here: its request and its replies. It gives no title, so a record of it has identifiers only. Source:
https://pmc.ncbi.nlm.nih.gov/tools/id-converter-api/.
"""

from __future__ import annotations

from urllib.parse import urlencode

from quality.model import Identifier
from quality.registries.answers import Answer, Found, NotFound, Record, Unknown
from quality.registries.identifiers import normalise_doi
from quality.registries.replies import dicts, json_object, odd_status
from quality.registries.transport import Reply, Request

BASE = "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1"


class PmcIds:
    """Up to a hundred ids a request."""

    name = "pmc"
    covers = frozenset({"pmcid"})
    decides = frozenset({"pmcid"})
    batch = 100

    def __init__(self, base: str = BASE) -> None:
        self._base = base.rstrip("/")

    def request(self, identifiers: tuple[Identifier, ...]) -> Request:
        """Ask for all of them at once."""
        parameters = {
            "ids": ",".join(i.value for i in identifiers), "idtype": "pmcid", "format": "json", "versions": "no",
            "tool": "sluicegate",
        }  # fmt: skip
        return Request(
            f"{self._base}/articles/?{urlencode(parameters)}", headers={"accept": "application/json"}
        )

    def read(self, identifiers: tuple[Identifier, ...], reply: Reply) -> dict[Identifier, Answer]:
        """Judge the reply: each id has its own record, in whatever order."""
        value = json_object(reply) if reply.status == 200 else odd_status(reply)
        if isinstance(value, Unknown):
            return dict.fromkeys(identifiers, value)
        if value.get("status") != "ok" or not isinstance(value.get("records"), list):
            return dict.fromkeys(
                identifiers, Unknown("registry_error", str(value.get("message", "no records"))[:120])
            )
        records = {}
        for record in dicts(value["records"]):
            records[str(record.get("requested-id", record.get("pmcid", ""))).upper()] = record
        return {i: _judge(i.value, records.get(i.value)) for i in identifiers}


def _judge(pmcid: str, record: dict[str, object] | None) -> Answer:
    if record is None:
        return Unknown("inconsistent_response", "no record for this id")
    if record.get("status") == "error" or record.get("errmsg"):
        said = str(record.get("errmsg", "")).lower()
        absent = "not found" in said or "invalid article id" in said
        return NotFound() if absent else Unknown("registry_error", said[:120])
    if str(record.get("pmcid", "")).upper() != pmcid:
        return Unknown("inconsistent_response", "the record is of another id")
    doi, pmid = normalise_doi(str(record.get("doi", ""))), str(record.get("pmid", ""))
    named = (*((f"pmid:{pmid}",) if pmid.isdigit() else ()), *((f"doi:{doi}",) if doi else ()))
    return Found(Record(identifiers=named, agency="pmc"))
