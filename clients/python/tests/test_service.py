"""Against a real service: answers that are known, and whole problems whose hash the caller of these tests has."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest

import stickslip
from stickslip.connection import read_connection


@pytest.fixture
def real(service: str) -> Any:
    with stickslip.connect(service) as client:
        yield client


def ball(mu: float, tangent: float) -> Dict[str, Any]:
    """
    A ball of mass 2 without rotation on the ground, W = 1/2, that comes down with velocity 1. It sticks where |q_T| <= mu, with
    R = (2, -2 q_T); else it slides with R_T = 2 mu against q_T.
    """
    return {"W": np.eye(3) / 2, "q": np.array([-1, tangent, 0]), "mu": np.array([mu])}


def test_closed_forms(real: stickslip.Client) -> None:
    sticks = real.solve(**ball(0.5, 0.25), tolerance=1e-12)
    assert sticks.solved
    np.testing.assert_allclose(sticks.reaction, [2, -0.5, 0], atol=1e-9)
    np.testing.assert_allclose(sticks.velocity, [0, 0, 0], atol=1e-9)
    slides = real.solve(**ball(0.25, 1), tolerance=1e-12)
    np.testing.assert_allclose(slides.reaction, [2, -0.5, 0], atol=1e-9)
    np.testing.assert_allclose(slides.velocity, [0, 0.75, 0], atol=1e-9)
    assert slides.hash == stickslip.hash_of(slides.reaction)


def test_bodies_are_as_their_matrix(real: stickslip.Client) -> None:
    rigid = stickslip.RigidContacts([-1, 0], np.eye(3), np.zeros(6), [0.5], np.zeros(6))
    answer = real.solve(rigid, np.array([-1, 1.0, 0]), [0.25], tolerance=1e-12)
    np.testing.assert_allclose(answer.reaction, [2, -0.5, 0], atol=1e-9)


def test_prepared_pattern_and_series(real: stickslip.Client) -> None:
    with real.prepare(**ball(0.5, 0.25)) as pattern:
        for tangent in (0.25, -0.25, 0.125):
            answer = pattern.solve(q=ball(0.5, tangent)["q"], mu=[0.5], tolerance=1e-12, keys=[42], series="ball")
            np.testing.assert_allclose(answer.reaction, [2, -2 * tangent, 0], atol=1e-9)
        heavier = pattern.solve(q=[-1, 0.25, 0], mu=[0.5], values=np.eye(3).reshape(-1) / 4, tolerance=1e-12)
        np.testing.assert_allclose(heavier.reaction, [4, -1, 0], atol=1e-9)
    with pytest.raises(stickslip.UnknownPattern):
        pattern.solve(q=[-1, 0, 0])


def test_laws_are_taken(real: stickslip.Client) -> None:
    # A mass of 2 that is drawn away by 0.1: cohesion holds it with 2 * 0.1.
    answer = real.solve(np.eye(3) / 2, [0.1, 0, 0], [0.5], laws=stickslip.Laws("cohesive", [0, 0.3] + [0] * 6), tolerance=1e-12)
    assert answer.solved and np.allclose(answer.reaction, [-0.2, 0, 0], atol=1e-12)


def test_points_are_taken(real: stickslip.Client) -> None:
    assert real.solve(**ball(0.5, 0.25), point=[1, 2, 3], tolerance=1e-12).solved
    with real.prepare(np.eye(3) / 2, point=[1, 2, 3]) as pattern:
        assert pattern.solve(q=[-1, 0.25, 0], mu=[0.5], tolerance=1e-12).solved
        with pytest.raises(stickslip.BadInput, match="point: is that of the pattern; give it to prepare"):
            pattern.solve(q=[-1, 0.25, 0], point=[1, 2, 3])


def test_kept_answer_is_fetched(real: stickslip.Client) -> None:
    request = real.submit(**ball(0.5, 0.25), keep=True)
    first = request.result(30)
    again = real.fetch(request.id, 30)
    assert again.hash == first.hash and np.array_equal(again.reaction, first.reaction)
    real.forget(request.id)
    with pytest.raises(stickslip.UnknownRequest):
        real.fetch(request.id, 30)


def test_what_the_service_refuses(real: stickslip.Client) -> None:
    with pytest.raises(stickslip.BadInput, match="method"):
        real.solve(**ball(0.5, 0), method="alchemy")
    with pytest.raises(stickslip.BadInput, match="is indefinite|W"):
        real.solve(-np.eye(3), [-1, 0, 0], [0.5])
    assert real.solve(**ball(0.5, 0)).solved


def test_outcome_is_data(real: stickslip.Client) -> None:
    answer = real.solve(**ball(0.5, 0.25), max_iterations=0)
    assert answer.status in ("iteration-limit", "solved")


@pytest.fixture
def stored() -> Dict[str, Any]:
    """A problem as raw arrays with its hash, in the folder that the environment names."""
    folder = Path(os.environ.get("STICKSLIP_TEST_PROBLEM", ""))
    if not (folder / "hash").is_file():
        pytest.skip("needs a problem: STICKSLIP_TEST_PROBLEM names its folder")
    arrays = {path.stem: np.fromfile(path, "<i4" if path.suffix == ".i32" else "<f8") for path in folder.glob("*.[if]*")}
    return {**arrays, "hash": (folder / "hash").read_text()}


def test_whole_problem_has_the_bits_of_the_library(real: stickslip.Client, stored: Dict[str, Any]) -> None:
    sparse = pytest.importorskip("scipy.sparse", reason="needs python3-scipy")
    q, mu = stored["q"], stored["mu"]
    W = sparse.bsr_matrix((stored["values"].reshape(-1, 3, 3), stored["column"], stored["rowStart"]), shape=(q.size, q.size))
    seen: List[stickslip.Progress] = []
    requests = [real.submit(W, q, mu, progress=seen.append) for _ in range(4)]
    for request in requests:
        answer = request.result(120)
        assert answer.hash == stored["hash"] == stickslip.hash_of(answer.reaction)
    assert seen == [] or seen[0].method != ""
    np.testing.assert_allclose(answer.velocity, W @ answer.reaction + q, atol=1e-9 * np.abs(q).max())
    with real.prepare(W) as pattern:
        assert pattern.solve(q=q, mu=mu).hash == stored["hash"]
        assert pattern.solve(q=q, mu=mu, values=W).hash == stored["hash"]


def test_encrypted_and_over_the_socket_of_this_machine(service: str, stored: Dict[str, Any]) -> None:
    options = read_connection(service)
    assert options.local is not None
    W = (stored["rowStart"], stored["column"], stored["values"])
    for each, is_local in ((options, True), (replace(options, local=None), False), (replace(options, local="ipc:///nowhere"), False)):
        with stickslip.connect(each) as client:
            assert client._channel._is_local == is_local
            assert client.solve(W, stored["q"], stored["mu"]).hash == stored["hash"]


def test_parts(real: stickslip.Client, service: str, stored: Dict[str, Any]) -> None:
    q, mu, start, column = (stored[name] for name in ("q", "mu", "rowStart", "column"))
    values = stored["values"].reshape(-1, 9)
    count = mu.size
    group = f"python-{os.getpid()}"
    requests, owned = [], []
    for index in range(3):
        ids = np.arange(index, count, 3)
        rows = [np.arange(start[id], start[id + 1]) for id in ids]
        entries = np.concatenate(rows)
        own = (np.cumsum([0, *map(len, rows)]), column[entries], values[entries])
        part = stickslip.Part(group, index, 3, ids, count)
        requests.append(real.submit(own, q.reshape(-1, 3)[ids], mu[ids], part=part))
        owned.append(ids)
    reaction = np.empty((count, 3))
    for ids, request in zip(owned, requests):
        answer = request.result(120)
        assert answer.hash == stored["hash"]
        reaction[ids] = answer.reaction
    assert stickslip.hash_of(reaction) == stored["hash"]


def test_parts_with_laws(real: stickslip.Client) -> None:
    # Four masses of 2 that are drawn away by 0.1 to 0.4, each held by 0.3 at most; the two of a part are not neighbours.
    q = np.array([[0.1, 0, 0], [0.2, 0, 0], [0.4, 0, 0], [0.1, 0.01, 0]])
    glue = stickslip.Laws("cohesive", np.tile([0, 0.3] + [0] * 6, 4))
    whole = real.solve(np.eye(12) / 2, q, np.full(4, 0.5), laws=glue, tolerance=1e-12)
    group = f"python-laws-{os.getpid()}"
    requests = []
    for index in range(2):
        ids = np.array([index, index + 2])
        part = stickslip.Part(group, index, 2, ids, 4)
        laws = stickslip.Laws("cohesive", np.tile([0, 0.3] + [0] * 6, 2))
        own = (np.array([0, 1, 2]), ids, np.tile(np.eye(3) / 2, (2, 1, 1)).reshape(-1, 9))
        requests.append(real.submit(own, q[ids], np.full(2, 0.5), part=part, laws=laws, tolerance=1e-12))
    for index, request in enumerate(requests):
        answer = request.result(60)
        assert answer.hash == whole.hash
        np.testing.assert_allclose(answer.reaction, whole.reaction[[index, index + 2]], atol=0)
    np.testing.assert_allclose(whole.reaction[:, 0], [-0.2, -0.3, -0.3, -0.2], atol=1e-9)
