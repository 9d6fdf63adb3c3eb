"""Problems of Siconos: the vectors are those that its own solver finds."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import stickslip
from fake_service import FakeService

numerics = pytest.importorskip("siconos.numerics", reason="needs python3-siconos")
sparse = pytest.importorskip("scipy.sparse", reason="needs python3-scipy")


def problem_of(form: str) -> Any:
    """Of four contacts with a W that has full rank, so that there is one answer for a small mu: two slide, one sticks, one opens."""
    random = np.random.default_rng(3)
    half = 0.2 * random.standard_normal((12, 12)) + np.eye(12)
    W = half @ half.T
    q = np.array([-1, 0.8, 0.1, -1, 0.01, 0, -2, 1, 1, 1, 0.1, 0.2])
    mu = np.array([0.1, 0.3, 0.1, 0.2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if form == "sparse":
            W = sparse.csc_matrix(W)
        elif form == "blocks":
            _, W = numerics.SBM_from_csparse(3, sparse.csc_matrix(W))
        return numerics.FrictionContactProblem(3, W, q, mu)


@pytest.mark.parametrize("form", ["dense", "sparse", "blocks"])
def test_matrix_of_any_kind_is_sent(fake: FakeService, form: str) -> None:
    with stickslip.connect(fake.options) as client:
        stickslip.siconos.solve(problem_of(form), client)
    arrays = fake.arrays[fake.of_type("solve")[0]["id"]]
    assert arrays["W.values"].size == 16 * 9 and arrays["q"].size == 12
    # What Siconos hands out is gone with the problem.
    problem = problem_of("dense")
    of_dense = numerics.NM_csc(problem.M).tobsr((3, 3))
    assert np.array_equal(arrays["W.values"], of_dense.data.reshape(-1))


def test_dense_matrix_needs_no_other_import() -> None:
    program = """
import sys
import numpy, siconos.numerics as numerics, stickslip.siconos as siconos
assert not any(name.startswith("scipy") for name in sys.modules)
problem = numerics.FrictionContactProblem(3, numpy.diag([1.0, 2, 3]), numpy.array([-1.0, 0, 0]), numpy.array([0.5]))
print(siconos._matrix_of(problem).diagonal().tolist())
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.stdout.strip(), ended.returncode) == ("[1.0, 2.0, 3.0]", 0), ended.stderr


@pytest.mark.parametrize("form", ["dense", "sparse", "blocks"])
def test_answer_is_that_of_siconos(service: str, form: str) -> None:
    with stickslip.connect(service) as client:
        answer = stickslip.siconos.solve(problem_of(form), client, tolerance=1e-12, measure="natural")
    assert answer.solved
    problem = problem_of("dense")
    reaction, velocity = np.zeros(12), np.zeros(12)
    options = numerics.SolverOptions(numerics.SICONOS_FRICTION_3D_NSGS)
    options.dparam[numerics.SICONOS_DPARAM_TOL] = 1e-12
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 100_000
    assert numerics.fc3d_driver(problem, reaction, velocity, options) == 0
    np.testing.assert_allclose(answer.reaction, reaction, atol=1e-9)
    np.testing.assert_allclose(answer.velocity, velocity, atol=1e-9)
    # Contacts of every kind, or the comparison says little.
    slip = np.linalg.norm(velocity.reshape(-1, 3)[:, 1:], axis=1)
    assert (reaction[::3] == 0).any() and (slip < 1e-9).any() and ((slip > 1e-3) & (reaction[::3] > 0)).any()


def test_client_of_the_environment(fake: FakeService, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import json
    from dataclasses import asdict

    path = tmp_path / "connection.json"
    path.touch(mode=0o600)
    path.write_text(json.dumps({name: value for name, value in asdict(fake.options).items() if value is not None}))
    monkeypatch.setenv("STICKSLIP_CONNECTION", str(path))
    answer = stickslip.siconos.solve(problem_of("dense"))
    assert answer.reaction.size == 12


def test_other_problems_are_refused(fake: FakeService) -> None:
    with pytest.raises(stickslip.BadInput, match="problem: is of the type int; give a FrictionContactProblem"):
        stickslip.siconos.solve(7)
    planar = numerics.FrictionContactProblem(2, np.eye(2), np.zeros(2), np.ones(1))
    with pytest.raises(stickslip.BadInput, match="problem.dimension: is 2"):
        stickslip.siconos.solve(planar)
