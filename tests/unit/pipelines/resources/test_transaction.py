"""Rows in and out: by name, as they are, all or nothing, and never twice."""

from contextlib import suppress
from datetime import UTC, datetime

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.resources.warehouse import Warehouse
from quality.errors import StorageError

EVIL = ["r1'); DROP TABLE report_metrics; --", 'r"2', "r3; COPY report_metrics TO '/tmp/x.csv'", "ʼ OR 1=1"]


class Undo(Exception):
    """Ends a test's transaction without a trace."""


@pytest.fixture(scope="module")
def shared_warehouse(tmp_path_factory):
    return Warehouse(tmp_path_factory.mktemp("home"), lock_wait=5)


@pytest.fixture
def tx(shared_warehouse):
    with suppress(Undo), shared_warehouse.write("test") as transaction:
        yield transaction
        raise Undo


def values(tx, batch="b1"):
    found = tx.query("SELECT value FROM report_metrics WHERE batch_id = ? ORDER BY report_id", [batch])
    return found["value"].to_list()


def result(**row):
    base = {
        "batch_id": "b1",
        "contract_version": "c1",
        "batch_fingerprint": "f",
        "clause": "a",
        "metric": "cited",
        "statistic": "mean",
        "operator": ">=",
        "threshold": 0.9,
        "observed": 1.0,
        "n": 12,
        "n_absent": 0,
        "n_unknown": 0,
        "verdict": "pass",
        "mode": "block",
        "severity": "error",
        "reason": "fine",
        "worst_reports": [],
        "evaluated_at": datetime(2026, 3, 1, tzinfo=UTC),
    }
    return {**base, **row}


class TestReplace:
    def test_makes_the_frame_all_rows_of_its_subject(self, tx, metrics):
        tx.replace("report_metrics", metrics(0.1, 0.2, 0.3), where={"batch_id": "b1"})
        tx.replace("report_metrics", metrics(0.9, batch="b2"), where={"batch_id": "b2"})
        tx.replace("report_metrics", metrics(0.5), where={"batch_id": "b1"})
        assert values(tx) == [0.5]
        assert values(tx, "b2") == [0.9]

    def test_matches_columns_by_name(self, tx, metrics):
        frame = metrics(0.25).with_columns(numerator=pl.lit(1.0), denominator=pl.lit(4.0))
        tx.replace(
            "report_metrics", frame.select(sorted(frame.columns, reverse=True)), where={"batch_id": "b1"}
        )
        row = tx.query("FROM report_metrics").row(0, named=True)
        assert (row["report_id"], row["value"], row["numerator"], row["denominator"]) == (
            "r0",
            0.25,
            1.0,
            4.0,
        )
        assert row["detail"] is None

    def test_an_unknown_column_or_table_is_an_error(self, tx, metrics):
        with pytest.raises(StorageError, match=r"no column 'surplus'.*metric_version"):
            tx.replace("report_metrics", metrics(1).with_columns(surplus=1), where={"batch_id": "b1"})
        with pytest.raises(StorageError, match="no column 'nothing'"):
            tx.replace("report_metrics", metrics(1), where={"nothing": "b1"})
        with pytest.raises(StorageError, match="no table 'nothing'"):
            tx.replace("nothing", metrics(1), where={"batch_id": "b1"})
        with pytest.raises(StorageError, match="no table 'kb_documents'"):
            tx.replace("kb_documents", metrics(1), where={"batch_id": "b1"})
        with pytest.raises(StorageError, match="no table"):
            tx.replace("report_metrics; DROP TABLE reports", metrics(1), where={"batch_id": "b1"})

    def test_a_subject_is_required_and_binding(self, tx, metrics):
        with pytest.raises(StorageError, match="Name the subject"):
            tx.replace("report_metrics", metrics(1), where={})
        with pytest.raises(StorageError, match="outside"):
            tx.replace("report_metrics", metrics(1, batch="b2"), where={"batch_id": "b1"})

    def test_columns_of_the_subject_are_filled_in(self, tx, metrics):
        tx.replace(
            "report_metrics",
            metrics(1).drop("batch_id", "stage"),
            where={"batch_id": "b9", "stage": "rebuilt"},
        )
        assert tx.query("SELECT batch_id, stage FROM report_metrics").rows() == [("b9", "rebuilt")]

    def test_a_list_names_several_subjects_at_once(self, tx, metrics):
        tx.replace("report_metrics", metrics(0.1, 0.2, 0.3), where={"batch_id": "b1"})
        fresh = metrics(0.8, 0.9).drop("batch_id")
        tx.replace("report_metrics", fresh, where={"batch_id": "b1", "report_id": ["r0", "r1"]})
        assert values(tx) == [0.8, 0.9, 0.3]
        tx.replace("report_metrics", fresh.head(1), where={"batch_id": "b1", "report_id": ["r0", "r2"]})
        assert values(tx) == [0.8, 0.9]
        tx.replace("report_metrics", metrics(), where={"batch_id": "b1", "report_id": []})
        assert values(tx) == [0.8, 0.9]
        with pytest.raises(StorageError, match="outside"):
            tx.replace("report_metrics", fresh, where={"batch_id": "b1", "report_id": ["r1"]})
        with pytest.raises(StorageError, match="outside"):
            tx.replace("report_metrics", fresh, where={"batch_id": "b1", "report_id": []})

    def test_an_empty_frame_empties_the_subject(self, tx, metrics):
        tx.replace("report_metrics", metrics(0.1), where={"batch_id": "b1"})
        tx.replace("report_metrics", metrics(), where={"batch_id": "b1"})
        assert values(tx) == []
        tx.replace("report_metrics", pl.DataFrame(), where={"batch_id": "b1"})

    def test_the_same_rows_change_nothing(self, tx, metrics):
        frame = metrics(0.1, None).with_columns(
            validity=pl.Series(["measured", "absent"]), stage=pl.Series(["shadow", "shadow"])
        )
        tx.replace("report_metrics", frame, where={"batch_id": "b1"})
        assert tx.changed
        tx.changed = False
        tx.replace("report_metrics", frame.reverse(), where={"batch_id": "b1"})
        assert not tx.changed
        tx.replace("report_metrics", pl.concat([frame, frame]), where={"batch_id": "b1"})
        assert tx.changed
        assert len(values(tx)) == 4

    @pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
    def test_a_number_that_is_not_finite_is_refused(self, tx, metrics, number):
        with pytest.raises(StorageError, match="not finite in value"):
            tx.replace("report_metrics", metrics(0.5, number), where={"batch_id": "b1"})

    def test_the_schema_refuses_what_contradicts_itself(self, warehouse, metrics):
        with pytest.raises(StorageError, match="CHECK constraint"), warehouse.write("test") as tx:
            tx.replace("report_metrics", metrics(None), where={"batch_id": "b1"})

    def test_ids_are_stored_as_they_are(self, tx, metrics):
        frame = metrics(*[1.0] * 4).with_columns(report_id=pl.Series(EVIL))
        tx.replace(
            "report_metrics", frame.with_columns(batch_id=pl.lit(EVIL[0])), where={"batch_id": EVIL[0]}
        )
        assert sorted(tx.query("SELECT report_id FROM report_metrics")["report_id"]) == sorted(EVIL)
        found = tx.query("SELECT count(*) AS n FROM report_metrics WHERE report_id = $id", {"id": EVIL[1]})
        assert found.item() == 1

    @given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), unique=True, max_size=5))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
    def test_any_id_survives_and_is_found(self, tx, metrics, ids):
        frame = metrics(*[1.0] * len(ids)).with_columns(report_id=pl.Series(ids, dtype=pl.String))
        tx.replace("report_metrics", frame, where={"batch_id": "b1"})
        assert sorted(tx.query("SELECT report_id FROM report_metrics")["report_id"]) == sorted(ids)
        for found in ids:
            n = tx.query("SELECT count(*) AS n FROM report_metrics WHERE report_id = ?", [found]).item()
            assert n == 1

    def test_lists_and_json_survive(self, tx):
        frame = pl.DataFrame(
            {
                "report_id": ["r1", "r2"],
                "written_id": ["r1", "r2"],
                "ordinal": [0, 1],
                "status": ["read"] * 2,
                "content_fingerprint": ["c"] * 2,
                "has_evidence": [True, False],
                "evidence": ['{"tools":[{"name":"it\'s"}]}', None],
                "flags": [[], ["a", "b'c"]],
            }
        )
        tx.replace("reports", frame, where={"batch_id": "b1"})
        rows = tx.query("SELECT evidence, flags FROM reports ORDER BY ordinal").rows()
        assert rows == [('{"tools":[{"name":"it\'s"}]}', []), (None, ["a", "b'c"])]
        tx.changed = False
        tx.replace("reports", frame, where={"batch_id": "b1"})
        assert not tx.changed

    def test_empty_lists_of_no_type_are_accepted(self, tx):
        row = {
            "report_id": "r",
            "written_id": "r",
            "ordinal": 0,
            "status": "read",
            "content_fingerprint": "c",
        }
        tx.replace(
            "reports", pl.DataFrame([{**row, "has_evidence": False, "flags": []}]), where={"batch_id": "b"}
        )
        assert tx.query("SELECT flags FROM reports").item().to_list() == []

    def test_append_only_tables_are_refused(self, tx):
        with pytest.raises(StorageError, match="append_changed"):
            tx.replace("contract_results", pl.DataFrame([result()]), where={"batch_id": "b1"})


class TestAppendChanged:
    def test_appends_only_what_differs_from_the_latest_row(self, tx):
        first = pl.DataFrame([result(), result(clause="b")])
        assert tx.append_changed("contract_results", first) == 2
        assert tx.append_changed("contract_results", first) == 0
        second = pl.DataFrame([result(verdict="unknown"), result(clause="b")])
        assert tx.append_changed("contract_results", second) == 1
        assert tx.append_changed("contract_results", first) == 1
        rows = tx.query("SELECT result_id, clause, verdict FROM contract_results ORDER BY result_id").rows()
        assert rows == [(1, "a", "pass"), (2, "b", "pass"), (3, "a", "unknown"), (4, "a", "pass")]

    def test_a_later_instant_alone_is_no_difference(self, tx):
        tx.append_changed("contract_results", pl.DataFrame([result()]))
        tx.changed = False
        later = pl.DataFrame([result(evaluated_at=datetime(2026, 4, 1, tzinfo=UTC))])
        assert tx.append_changed("contract_results", later) == 0
        assert not tx.changed

    @pytest.mark.parametrize(
        "change", [{"observed": None}, {"worst_reports": ["r1"]}, {"metric_version": "v2"}]
    )
    def test_every_other_column_makes_a_difference(self, tx, change):
        tx.append_changed("contract_results", pl.DataFrame([result()]))
        assert tx.append_changed("contract_results", pl.DataFrame([result(**change)])) == 1
        assert tx.append_changed("contract_results", pl.DataFrame([result(**change)])) == 0

    def test_numbers_follow_the_order_of_the_frame_over_all_subjects(self, tx):
        tx.append_changed("contract_results", pl.DataFrame([result(batch_id="b2")]))
        frame = pl.DataFrame([result(clause=c) for c in "zya"])
        assert tx.append_changed("contract_results", frame) == 3
        rows = tx.query("SELECT clause FROM contract_results WHERE batch_id = 'b1' ORDER BY result_id").rows()
        assert rows == [("z",), ("y",), ("a",)]

    def test_a_row_of_an_earlier_round_is_no_reason_to_leave_its_like_out(self, tx):
        """Two contracts without a common clause take turns; what stands is what was evaluated last."""
        first, second = result(clause="a"), result(clause="b", contract_version="c2")
        for row in (first, second, first):
            assert tx.append_changed("contract_results", pl.DataFrame([row])) == 1
        assert tx.append_changed("contract_results", pl.DataFrame([first])) == 0
        assert tx.query("SELECT contract_version FROM batch_contract").item() == "c1"
        other = result(batch_id="b2", contract_version="c2")
        assert tx.append_changed("contract_results", pl.DataFrame([other])) == 1
        assert tx.append_changed("contract_results", pl.DataFrame([first])) == 0

    def test_two_rows_about_one_subject_are_refused(self, tx):
        with pytest.raises(StorageError, match="Two rows"):
            tx.append_changed("contract_results", pl.DataFrame([result(), result(verdict="breach")]))

    def test_a_table_that_holds_the_present_state_is_refused(self, tx, metrics):
        with pytest.raises(StorageError, match="`replace`"):
            tx.append_changed("report_metrics", metrics(1))

    def test_a_number_that_is_not_finite_is_refused(self, tx):
        with pytest.raises(StorageError, match="not finite in observed"):
            tx.append_changed("contract_results", pl.DataFrame([result(observed=float("nan"))]))

    def test_an_empty_frame_appends_nothing(self, tx):
        assert tx.append_changed("contract_results", pl.DataFrame([result()]).clear()) == 0


class TestStatements:
    def test_execute_changes_rows_with_parameters(self, tx, metrics):
        tx.replace("report_metrics", metrics(0.1), where={"batch_id": "b1"})
        tx.execute("UPDATE report_metrics SET value = $v WHERE report_id = $r", {"v": 0.7, "r": "r0"})
        tx.execute("UPDATE report_metrics SET detail = ?", ["it's; --"])
        assert tx.query("SELECT value, detail FROM report_metrics").rows() == [(0.7, "it's; --")]

    @pytest.mark.parametrize("sql", ["SELECT 1", "DELETE FROM reports; DELETE FROM batches", ""])
    def test_execute_refuses_a_select_and_several_statements(self, tx, sql):
        with pytest.raises(StorageError, match="exactly one statement"):
            tx.execute(sql)

    def test_a_faulty_statement_is_named(self, warehouse):
        with pytest.raises(StorageError, match="SELECT nothing FROM reports"), warehouse.write("test") as tx:
            tx.query("SELECT nothing FROM reports")
        with pytest.raises(StorageError, match="UPDATE nothing"), warehouse.write("test") as tx:
            tx.execute("UPDATE nothing SET a = 1")

    def test_query_refuses_what_gives_no_rows(self, tx):
        with pytest.raises(StorageError, match="`execute`"):
            tx.query("CREATE TEMP TABLE t (a INTEGER)")

    def test_a_variable_of_the_program_is_no_table(self, tx, metrics):
        secret = metrics(1)
        with pytest.raises(StorageError, match="secret does not exist"):
            tx.query("SELECT * FROM secret")
        assert secret.height == 1

    def test_query_gives_types_as_they_are_stored(self, tx):
        frame = tx.query(
            "SELECT 1::INTEGER AS i, NULL::DOUBLE AS d, [1.5] AS l, TIMESTAMPTZ '2026-01-01 00:00+02' AS t"
        )
        assert frame.schema["t"] == pl.Datetime("us", "UTC")
        assert frame["t"][0] == datetime(2025, 12, 31, 22, tzinfo=UTC)
        assert frame.schema["d"] == pl.Float64
