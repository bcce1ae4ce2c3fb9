"""The lock: one holder over processes and threads, with a name, and never longer than its process."""

import json
import os
import signal
import threading

import pytest

from pipelines.resources.lock import WarehouseLock
from quality.errors import LockTimeout, StorageError

HOLD = """
    import sys, time
    from datetime import datetime, UTC
    from pathlib import Path
    from pipelines.resources.lock import WarehouseLock
    lock = WarehouseLock(Path(sys.argv[1]), wait=30, clock=lambda: datetime(2026, 3, 1, 9, 30, tzinfo=UTC))
    with lock.hold("audit of batch 'b7'"):
        print("held", flush=True)
        sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "private" / "warehouse.lock"


@pytest.fixture
def lock(path, clock):
    return WarehouseLock(path, wait=0.2, clock=clock)


def test_a_timeout_names_process_purpose_and_since(path, lock, process):
    child = process(HOLD, path)
    assert child.stdout.readline() == "held\n"
    with pytest.raises(LockTimeout) as error, lock.hold("publishing"):
        pass
    assert (
        f"process {child.pid} holds the lock for \"audit of batch 'b7'\" since 2026-03-01T09:30:00+00:00"
        in str(error.value)
    )
    assert "'publishing' waited 0.2 s" in str(error.value)


def test_a_killed_holder_holds_nothing(path, lock, process):
    child = process(HOLD, path)
    assert child.stdout.readline() == "held\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    with lock.hold("next"):
        assert json.loads(path.with_name("warehouse.lock.json").read_text())["pid"] == os.getpid()


def test_the_note_of_a_dead_process_is_not_believed(path, lock, process):
    child = process("")
    child.wait()
    path.parent.mkdir()
    note = {"pid": child.pid, "purpose": "earlier audit", "since": "2026-01-01"}
    path.with_name("warehouse.lock.json").write_text(json.dumps(note))
    said = lock.holder()
    assert "has not said its name" in said
    assert f"the last one, {child.pid}, is gone" in said
    assert "earlier audit" not in said


@pytest.mark.parametrize("note", ["", "{", "[]", '{"pid": "x", "purpose": "p", "since": "s"}'])
def test_a_broken_note_is_not_believed(path, lock, note):
    path.parent.mkdir()
    path.with_name("warehouse.lock.json").write_text(note)
    assert lock.holder() == "a process that has not said its name yet holds the lock"


def test_the_note_goes_with_the_lock(path, lock):
    with pytest.raises(ZeroDivisionError), lock.hold("fails"):
        raise ZeroDivisionError
    assert not path.with_name("warehouse.lock.json").exists()
    with lock.hold("again"):
        pass


def test_a_thread_does_not_wait_for_itself(lock):
    with (
        lock.hold("outer"),
        pytest.raises(StorageError, match="'outer' of its own thread"),
        lock.hold("inner"),
    ):
        pass
    with lock.hold("after"):
        pass


def test_threads_take_turns(path, clock):
    lock = WarehouseLock(path, wait=30, clock=clock)
    inside, most = 0, 0
    guard = threading.Lock()

    def work():
        nonlocal inside, most
        for _ in range(10):
            with lock.hold("turn"):
                with guard:
                    inside += 1
                    most = max(most, inside)
                with guard:
                    inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (inside, most) == (0, 1)
