"""The client against a service that behaves as the test wants: answers, errors by code, and connections that are lost."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Callable, List, Tuple, Type

import numpy as np
import pytest

import stickslip
from fake_service import FakeService
from stickslip import Client, Progress

W = np.eye(6)
Q = np.array([1.0, -2, 3, -4, 5, -6])
MU = np.array([0.5, 0.25])


def until(is_so: Callable[[], bool], seconds: float = 100) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_answer(fake: FakeService, client: Client) -> None:
    answer = client.solve(W, Q, MU, tolerance=1e-6, measure="natural", max_iterations=7, set={"m": 5})
    client.solve(W, Q, MU, tolerance=np.float32(0.5), set={"m": np.int64(5)})  # type: ignore[arg-type, dict-item]
    assert fake.of_type("solve")[1]["options"] == {"tolerance": 0.5, "set": {"m": 5}}
    assert np.array_equal(answer.reaction, np.maximum(Q, 0)) and np.array_equal(answer.velocity, np.repeat(MU, 3))
    assert answer.solved and answer.status == "solved" and answer.multiplier.size == 0
    assert answer.hash == stickslip.hash_of(answer.reaction)
    assert answer.report["options"] == {"tolerance": 1e-6, "measure": "natural", "maxIterations": 7, "set": {"m": 5}}
    answer.reaction[0] = 7
    assert (client.name, client.ranks, client.limits["requests"]) == ("test", 2, 100)


def test_answer_has_the_shape_of_q(client: Client) -> None:
    answer = client.solve(W, Q.reshape(2, 3), MU)
    assert answer.reaction.shape == (2, 3) and answer.velocity[1, 2] == 0.25


def test_many_under_way_are_not_swapped(client: Client) -> None:
    requests = [client.submit(W, Q + k, MU) for k in range(50)]
    for k, request in reversed(list(enumerate(requests))):
        assert np.array_equal(request.result(10).reaction, np.maximum(Q + k, 0))
        assert request.done()


def test_answers_are_forgotten_in_time(fake: FakeService, client: Client) -> None:
    ids = [client.submit(W, Q, MU) for _ in range(64)]
    for request in ids:
        request.result(10)
    kept = client.submit(W, Q, MU, keep=True)
    kept.result(10)
    until(lambda: len(fake.of_type("forget")) == 1)
    assert fake.of_type("forget")[0]["ids"] == [request.id for request in ids]
    assert np.array_equal(client.fetch(kept.id, 10).reaction, np.maximum(Q, 0))
    client.forget(kept.id)
    until(lambda: len(fake.of_type("forget")) == 2)
    with pytest.raises(stickslip.UnknownRequest):
        client.fetch("nobody", 10)


def test_progress(client: Client) -> None:
    seen: List[Progress] = []
    client.solve(W, Q, MU, progress=seen.append)
    assert [each.iterations for each in seen] == [0, 1, 2] and seen[2].products == 4 and seen[0].method == "gs"


def test_error_of_the_callers_progress_comes_through_and_cancels(fake: FakeService, client: Client) -> None:
    def fail(_: Progress) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        client.solve(W, Q, MU, progress=fail)
    until(lambda: len(fake.of_type("cancel")) == 1)
    assert client.solve(W, Q, MU).solved


def test_progress_may_cancel(fake: FakeService, client: Client) -> None:
    requests: List[stickslip.Request] = []
    requests.append(client.submit(W, Q, MU, progress=lambda _: requests[0].cancel()))
    assert requests[0].result(10).solved
    until(lambda: len(fake.of_type("cancel")) == 1)


def test_prepared_pattern(fake: FakeService, client: Client) -> None:
    with client.prepare(W, q=Q) as pattern:
        prepared = fake.of_type("prepare")[0]
        assert list(fake.arrays[prepared["id"]]) == ["W.rowStart", "W.column", "W.values", "q"]
        answer = pattern.solve(q=Q, mu=MU)
        solve = fake.of_type("solve")[0]
        assert solve["pattern"] == pattern.name and list(fake.arrays[solve["id"]]) == ["q", "mu"]
        assert answer.solved
        pattern.solve(q=Q, values=2 * W[:6, :3].reshape(-1))
        with pytest.raises(stickslip.OtherPattern, match="W.values: has 9 values instead of 18"):
            pattern.solve(values=np.ones(9))
        with pytest.raises(stickslip.BadInput, match="q: has 3 values instead of 6"):
            pattern.solve(q=Q[:3])
    assert fake.of_type("release")[0]["pattern"] == pattern.name


def test_keys_of_a_series(fake: FakeService, client: Client) -> None:
    client.solve(W, Q, MU, keys=[7, 2**52], series="pile", start=np.zeros(6))
    solve = fake.of_type("solve")[0]
    assert solve["series"] == "pile" and list(fake.arrays[solve["id"]])[-2:] == ["start", "keys"]
    wrong: List[Tuple[List[float], str]] = [([1.5, 2], "is 1.5"), ([1], "has 1 values instead of 2"), ([0, 2.0**53], "whole numbers below")]
    for keys, message in wrong:
        with pytest.raises(stickslip.BadInput, match=message):
            client.solve(W, Q, MU, keys=keys)
    with pytest.raises(stickslip.BadInput, match="keys: is missing"):
        client.solve(W, Q, MU, series="pile")


CODES = [
    ("bad-message", stickslip.BadMessage),
    ("bad-input", ValueError),
    ("unknown-pattern", stickslip.UnknownPattern),
    ("other-pattern", stickslip.OtherPattern),
    ("too-large", stickslip.TooLarge),
    ("too-many", stickslip.TooMany),
    ("deadline", TimeoutError),
    ("cancelled", stickslip.Cancelled),
    ("incomplete", stickslip.Incomplete),
    ("rank-lost", stickslip.RankLost),
    ("draining", stickslip.Draining),
    ("internal", stickslip.InternalError),
    ("of-tomorrow", stickslip.Error),
]


@pytest.mark.parametrize(("code", "kind"), CODES)
def test_errors_of_the_service_by_code(client: Client, code: str, kind: Type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        client.solve(W, Q, MU, name=f"error {code}")
    error = caught.value
    assert isinstance(error, stickslip.Error)
    assert (error.code, error.field, error.problem, error.remedy) == (code, "W", "is wrong", "do better")
    assert str(error) == "W: is wrong; do better"


def test_result_that_is_none(client: Client) -> None:
    with pytest.raises(stickslip.BadMessage, match="has no reaction"):
        client.solve(W, Q, MU, name="no report")


def test_unknown_option(client: Client) -> None:
    with pytest.raises(stickslip.BadInput, match="tolerence: is not an option; use one of method, tolerance"):
        client.solve(W, Q, MU, tolerence=1)  # type: ignore[call-arg]
    with pytest.raises(stickslip.BadInput, match="deadline: is -1"):
        client.solve(W, Q, MU, deadline=-1)
    with pytest.raises(stickslip.BadInput, match="tolerance: is of the type list"):
        client.solve(W, Q, MU, tolerance=[])  # type: ignore[arg-type]


def test_released_pattern(fake: FakeService, client: Client) -> None:
    pattern = client.prepare(W, q=Q)
    pattern.release()
    pattern.release()
    with pytest.raises(stickslip.UnknownPattern, match="pattern: was released; prepare it again"):
        pattern.solve(q=Q, mu=MU)
    assert len(fake.of_type("release")) == 1 and not fake.of_type("solve")


def test_timeout_cancels(fake: FakeService, client: Client) -> None:
    with pytest.raises(stickslip.Timeout):
        client.solve(W, Q, MU, name="hold", timeout=0.05)
    until(lambda: len(fake.of_type("cancel")) == 1)
    request = client.submit(W, Q, MU, name="hold")
    with pytest.raises(TimeoutError):
        request.result(0.05)
    assert not request.done()
    request.cancel()
    with pytest.raises(stickslip.Cancelled):
        request.result(10)


def test_lost_connection_is_made_again_and_what_was_not_answered_sent_again(fake: FakeService, client: Client) -> None:
    assert client.solve(W, Q, MU).solved
    requests = [client.submit(W, Q + k, MU, name="hold") for k in range(3)]
    until(lambda: len(fake.held) == 3)
    fake.restart(forget=True)
    for k, request in enumerate(requests):
        assert np.array_equal(request.result(20).reaction, np.maximum(Q + k, 0))
    assert len(fake.of_type("hello")) == 2
    ids = [head["id"] for head in fake.of_type("solve")]
    assert ids == [ids[0], *(2 * [request.id for request in requests])]


def test_what_was_cancelled_is_cancelled_again(fake: FakeService, client: Client) -> None:
    request = client.submit(W, Q, MU, name="hold")
    until(lambda: len(fake.held) == 1)
    fake.do(fake.held.clear)
    request.cancel()
    fake.restart()
    assert request.result(20).solved
    until(lambda: len(fake.of_type("cancel")) == 2)


def test_solve_after_the_service_was_started_again(fake: FakeService, client: Client) -> None:
    fake.restart(forget=True)
    assert client.solve(W, Q, MU, timeout=200).solved


def test_pattern_is_prepared_again_for_a_service_that_was_started_again(fake: FakeService, client: Client) -> None:
    with client.prepare(W) as pattern:
        request = pattern.submit(q=Q, mu=MU, name="hold")
        until(lambda: len(fake.held) == 1)
        fake.restart(forget=True)
        assert request.result(20).solved
        again = fake.of_type("solve")[-1]
        assert again["id"] == request.id and "pattern" not in again
        assert list(fake.arrays[request.id]) == ["W.rowStart", "W.column", "W.values", "q", "mu"]
        assert pattern.solve(q=2 * Q).solved
        prepared = fake.of_type("prepare")[-1]
        assert list(fake.arrays[prepared["id"]]) == ["W.rowStart", "W.column", "W.values", "q", "mu"]
        assert list(fake.arrays[fake.of_type("solve")[-1]["id"]]) == ["q"]
    assert [head["pattern"] for head in fake.of_type("release")] == [pattern.name]


def test_no_more_is_sent_than_the_service_has_room_for(fake: FakeService) -> None:
    fake.limits["requests"] = 2
    with stickslip.connect(fake.options) as client:
        held = [client.submit(W, Q, MU, name="hold") for _ in range(2)]
        waiting = [client.submit(W, Q + k, MU) for k in range(3)]
        until(lambda: len(fake.held) == 2)
        waiting[1].cancel()
        with pytest.raises(stickslip.Cancelled, match="before it was sent"):
            waiting[1].result()
        assert not waiting[0].done() and len(fake.of_type("solve")) == 2
        held[0].cancel()
        assert np.array_equal(waiting[2].result(10).reaction, np.maximum(Q + 2, 0)) and waiting[0].done()


def test_bye_is_heard(fake: FakeService, client: Client) -> None:
    request = client.submit(W, Q, MU, name="hold")
    until(lambda: len(fake.held) == 1)
    assert client.draining is None
    fake.do(lambda: fake.say({"type": "bye", "reason": "SIGTERM"}))
    until(lambda: not request.done() and client.draining == "SIGTERM")
    fake.restart()
    assert request.result(20).solved and client.draining is None


def test_service_that_is_gone(fake: FakeService) -> None:
    with stickslip.connect(fake.options, patience=1.5) as client:
        fake.do(lambda: setattr(fake, "_take", lambda *_: None))
        with pytest.raises(stickslip.ConnectionLost, match="has been silent for") as caught:
            client.solve(W, Q, MU)
        assert isinstance(caught.value, ConnectionError)


def test_message_over_the_limit_is_not_sent(fake: FakeService, client: Client) -> None:
    fake.limits["message"] = 100
    with stickslip.connect(fake.options) as other:
        with pytest.raises(stickslip.TooLarge, match=r"message: has \d+ bytes of at most 100"):
            other.solve(W, Q, MU)


def test_hello_that_is_refused(fake: FakeService) -> None:
    with pytest.raises(stickslip.Unauthorized, match="token"):
        stickslip.connect(replace(fake.options, token="wrong"))
    wrong = replace(fake.options, serviceKey=fake.options.publicKey)
    with pytest.raises(stickslip.ConnectionLost, match="does not answer within 0.3 s; see that the service runs"):
        stickslip.connect(wrong, timeout=0.3)


def test_closed_client(client: Client) -> None:
    pattern = client.prepare(W)
    client.close()
    client.close()
    with pytest.raises(stickslip.ConnectionLost, match="is closed"):
        client.solve(W, Q, MU)
    with pattern:
        pass


def test_two_threads(fake: FakeService, client: Client) -> None:
    errors: List[Exception] = []

    def other() -> None:
        try:
            client.solve(W, Q, MU)
        except RuntimeError as error:
            errors.append(error)

    def look(_: Progress) -> None:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    client.solve(W, Q, MU, progress=look)
    assert "one thread at a time" in str(errors[0])


def test_connection_file(fake: FakeService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "connection.json"
    path.touch(mode=0o600)
    path.write_text(json.dumps({name: value for name, value in asdict(fake.options).items() if value is not None}))
    with stickslip.connect(path) as client:
        assert client.solve(W, Q, MU).solved
    monkeypatch.setenv("STICKSLIP_CONNECTION", str(path))
    with stickslip.connect() as client:
        assert not client.closed
    monkeypatch.delenv("STICKSLIP_CONNECTION")
    monkeypatch.setenv("STICKSLIP_SERVICE", str(tmp_path))
    with pytest.raises(stickslip.BadInput, match="connection: is not given, and there is no .*client-default.json; name"):
        stickslip.connect()
    path.rename(tmp_path / "client-default.json")
    with stickslip.connect() as client:
        assert not client.closed
    path.touch(mode=0o600)
    for text, message in [
        ("{", "is not JSON"),
        ('{"token": "a", "token": "b"}', '"token" is given twice'),
        ("[]", "is not an object"),
        ('{"zeromq": "x"}', "serviceKey: is missing"),
    ]:
        path.write_text(text)
        with pytest.raises(stickslip.BadInput, match=message):
            stickslip.connect(path)
    for mode in (0o644, 0o640, 0o604):
        path.chmod(mode)
        with pytest.raises(stickslip.BadInput, match="is accessible to other users; chmod 600 "):
            stickslip.connect(path)
    with pytest.raises(stickslip.BadInput, match="does not exist"):
        stickslip.connect(tmp_path / "none.json")
    with pytest.raises(stickslip.BadInput, match="the address nowhere or a key cannot be used"):
        stickslip.connect(replace(fake.options, zeromq="nowhere"))
