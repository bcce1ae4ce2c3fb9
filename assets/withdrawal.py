"""What was delivered of a report that left its batch since.

Belongs here: finding those files, and marking them. Does not belong here: that a report left (gate.py records it), how a head
is rendered (quality/delivery).
"""

from assets.delivery import delivered_folder
from assets.files import write_if_changed
from assets.ports import Store
from quality.delivery.model import DeliveredReport, DeliveryState
from quality.delivery.render import delivered_name
from quality.delivery.withdrawn import render_withdrawn
from quality.names import safe_name


def mark_withdrawn(store: Store, batch_id: str) -> int:
    """Say on top of the files of reports that left this batch that they were withdrawn, and when; never touches a body.

    Returns:
        How many files say so now. Done twice it changes nothing.
    """
    with store.read_primary() as reader:
        left = reader.query(
            "SELECT report_id, strftime(withdrawn_at, '%Y-%m-%dT%H:%M:%SZ') AS withdrawn_at, input_fingerprint "
            "FROM withdrawn_reports WHERE batch_id = ? ORDER BY report_id",
            [batch_id],
        )
    folder = delivered_folder(store.home, batch_id)
    marked = 0
    for report_id, withdrawn_at, fingerprint in left.iter_rows():
        about = DeliveredReport(
            batch_id=batch_id,
            report_id=report_id,
            body="",
            state=DeliveryState.WITHDRAWN,
            input_fingerprint=fingerprint,
            withdrawn_at=withdrawn_at,
        )
        for name in (delivered_name(report_id), f"{safe_name(report_id)}.audit.md"):
            file = folder / name
            if file.is_file():
                text = file.read_bytes().decode("utf-8", "surrogateescape")
                write_if_changed(file, render_withdrawn(text, about).encode("utf-8", "surrogateescape"))
                marked += 1
    return marked
