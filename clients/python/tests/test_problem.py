"""Problems of callers as arrays: the same from all formats, and bad input named with its remedy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict

import numpy as np
import pytest

from stickslip import BadInput, Error, GlobalForm, Laws, Part, RigidContacts
from stickslip.problem import part_arrays, problem_arrays

# Three contacts, of which the first and the last do not couple.
INDPTR = np.array([0, 2, 5, 7], np.int32)
INDICES = np.array([0, 1, 0, 1, 2, 1, 2], np.int32)
DATA = np.random.default_rng(1).standard_normal((7, 3, 3)) + 5 * np.eye(3)
Q = np.arange(9.0)
MU = np.array([0.1, 0.2, 0.3])


def dense() -> np.ndarray[Any, Any]:
    W = np.zeros((9, 9))
    for row in range(3):
        for k in range(INDPTR[row], INDPTR[row + 1]):
            column = INDICES[k]
            W[3 * row : 3 * row + 3, 3 * column : 3 * column + 3] = DATA[k]
    return W


def forms() -> Dict[str, Any]:
    sparse = pytest.importorskip("scipy.sparse", reason="needs python3-scipy")
    bsr = sparse.bsr_matrix((DATA, INDICES, INDPTR), shape=(9, 9))
    return {"bsr": bsr, "csr": bsr.tocsr(), "csc": bsr.tocsc(), "coo": bsr.tocoo(), "wide": bsr.tobsr((9, 9))}


@pytest.mark.parametrize("form", ["bsr", "csr", "csc", "coo"])
def test_scipy(form: str) -> None:
    contacts, arrays = problem_arrays(forms()[form], Q, MU)
    assert contacts == 3
    assert np.array_equal(arrays["W.rowStart"], INDPTR) and np.array_equal(arrays["W.column"], INDICES)
    assert np.array_equal(arrays["W.values"], DATA.reshape(-1))
    assert list(arrays) == ["q", "mu", "W.rowStart", "W.column", "W.values"]


def test_bsr_is_not_copied() -> None:
    bsr = forms()["bsr"]
    _, arrays = problem_arrays(bsr, Q, MU)
    assert np.shares_memory(arrays["W.values"], bsr.data) and np.shares_memory(arrays["q"], Q)


def test_dense_and_triple() -> None:
    _, of_dense = problem_arrays(dense(), Q.reshape(3, 3), list(MU))
    _, of_triple = problem_arrays((INDPTR, list(INDICES), DATA), Q, MU)
    for name, array in of_triple.items():
        assert np.array_equal(array, of_dense[name]) and array.dtype == of_dense[name].dtype


def test_diagonal_block_of_zeros_is_sent() -> None:
    W = dense()
    W[:3, :3] = 0
    _, arrays = problem_arrays(W, Q, MU)
    assert np.array_equal(arrays["W.column"], INDICES)


BAD: Dict[str, Any] = {
    "q has no numbers": ({"q": "text"}, "q: is not an array of numbers"),
    "q is short": ({"q": Q[:8]}, "q: has 8 values; give three per contact"),
    "q has NaN": ({"q": [0, np.nan, *Q[2:]]}, r"q\[1\]: is nan; give finite numbers only"),
    "q has infinities that cancel": ({"q": [0, np.inf, -np.inf, *Q[3:]]}, r"q\[1\]: is inf"),
    "mu is short": ({"mu": MU[:2]}, "mu: has 2 values instead of 3; make the sizes agree"),
    "mu is negative": ({"mu": [0, -1, 0]}, r"mu\[1\]: is -1.0; give friction that is zero or positive"),
    "W is another type": ({"W": "text"}, "W: is of the type str; give a matrix of scipy.sparse"),
    "W is small": ({"W": dense()[:6, :6]}, "W: has 2 block rows for 3 contacts"),
    "W has odd rows": ({"W": dense()[:8]}, "W: is 8 x 9; give a matrix with three rows"),
    "W has NaN": ({"W": (INDPTR, INDICES, np.where(DATA > 5, np.nan, DATA))}, r"W.values\[0\]: is nan"),
    "W has a column out of range": ({"W": (INDPTR, INDICES + 1, DATA)}, r"W.column\[4\]: is 3, out of range; columns go from 0 to 2"),
    "W has decreasing rows": ({"W": (INDPTR[[0, 2, 1, 3]], INDICES, DATA)}, "W.rowStart: does not begin at 0, or decreases"),
    "W has too few blocks": ({"W": (INDPTR, INDICES, DATA[:6])}, "W.rowStart: ends at 7 of 7 columns and 6 blocks"),
    "W has real indices": ({"W": (INDPTR, INDICES + 0.5, DATA)}, "W.column: is of the type float64; give an array of integers"),
    "W has long indices": ({"W": (INDPTR, INDICES + 2**40, DATA)}, "W.column: has numbers beyond 32 bits"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_named(name: str) -> None:
    changed, message = BAD[name]
    good: Dict[str, Any] = {"W": (INDPTR, INDICES, DATA), "q": Q, "mu": MU}
    with pytest.raises(BadInput, match=message) as caught:
        problem_arrays(**{**good, **changed})
    assert isinstance(caught.value, (ValueError, Error)) and caught.value.code == "bad-input"


RIGID = RigidContacts([-1, 0, 0, 1], np.tile(np.eye(3).reshape(-1), 2), np.zeros(12), [1.0, 2.0], np.zeros(12))


def test_rigid() -> None:
    contacts, arrays = problem_arrays(RIGID, np.zeros(6), np.ones(2))
    assert contacts == 2
    assert [name for name in arrays if name.startswith("rigid.")] == [
        f"rigid.{name}" for name in ("body", "frame", "arm", "inverseMass", "inverseInertia")
    ]
    assert arrays["rigid.body"].dtype == np.int32
    with pytest.raises(BadInput, match="rigid.arm: has 6 values instead of 12"):
        problem_arrays(replace(RIGID, arm=np.zeros(6)), np.zeros(6), np.ones(2))


def test_point() -> None:
    _, arrays = problem_arrays(RIGID, np.zeros(6), np.ones(2), point=[[1, 2, 3], [4, 5, 6]])
    assert np.array_equal(arrays["geometry.point"], [1, 2, 3, 4, 5, 6])
    with pytest.raises(BadInput, match="point: has 5 values instead of 6"):
        problem_arrays(RIGID, np.zeros(6), np.ones(2), point=np.zeros(5))


def test_laws() -> None:
    _, arrays = problem_arrays(RIGID, np.zeros(6), np.ones(2), laws=Laws(["relaxed", "cohesive"], np.array([[0.0] * 8, [0, 0.5] + [0] * 6])))
    assert list(arrays["laws.law"]) == [3, 4] and arrays["laws.parameters"][9] == 0.5
    _, arrays = problem_arrays(RIGID, np.zeros(6), np.ones(2), laws=Laws("frictionless"))
    assert list(arrays["laws.law"]) == [1, 1] and arrays["laws.parameters"].size == 16
    with pytest.raises(BadInput, match="laws.law: has 'glue', which is no law; use coulomb, frictionless"):
        problem_arrays(RIGID, np.zeros(6), np.ones(2), laws=Laws(["glue", "coulomb"]))
    with pytest.raises(BadInput, match="laws.law: has 1 names for 2 contacts"):
        problem_arrays(RIGID, np.zeros(6), np.ones(2), laws=Laws(["coulomb"]))
    with pytest.raises(BadInput, match="laws.parameters: has 8 values instead of 16"):
        problem_arrays(RIGID, np.zeros(6), np.ones(2), laws=Laws("coulomb", np.zeros(8)))


def test_numbers_say_what_is_wanted() -> None:
    with pytest.raises(BadInput, match="q: is complex; give real numbers"):
        problem_arrays(RIGID, np.zeros(6) + 1j, np.ones(2))
    with pytest.raises(BadInput, match=r"mu: is one number; give one value per contact: numpy.full\(2, 0.5\)"):
        problem_arrays(RIGID, np.zeros(6), 0.5)


def test_global_form() -> None:
    form = GlobalForm(M=np.eye(4), H=np.ones((4, 9)), f=np.zeros(4), w=np.zeros(9))
    _, arrays = problem_arrays(form, Q, MU)
    assert np.array_equal(arrays["global.M.rowStart"], np.arange(5)) and arrays["global.H.values"].size == 36
    with pytest.raises(BadInput, match="global.b: is missing, although the other is given"):
        problem_arrays(replace(form, G=np.ones((4, 1))), Q, MU)


def test_part() -> None:
    part = Part("g", 0, 2, [0, 2], 3)
    own = (np.array([0, 2, 4]), np.array([0, 1, 1, 2]), DATA[[0, 1, 5, 6]])
    arrays = part_arrays(own, Q[[0, 1, 2, 6, 7, 8]], MU[[0, 2]], part)
    assert np.array_equal(arrays["ids"], [0, 2]) and arrays["W.values"].size == 36
    empty = part_arrays((np.zeros(1, int), [], []), [], [], replace(part, ids=[]))
    assert empty["ids"].size == 0 and empty["W.rowStart"].size == 1
    rigid = replace(RIGID, ids=[3, 7], body=[-1, 3, 3, 7])
    bodies = part_arrays(rigid, Q[:6], MU[:2], replace(part, point=np.zeros((2, 3))))
    assert np.array_equal(bodies["rigid.ids"], [3, 7]) and bodies["geometry.point"].size == 6
    with pytest.raises(BadInput, match="rigid.ids: is missing"):
        part_arrays(RIGID, Q[:6], MU[:2], part)
    with pytest.raises(BadInput, match=r"part.ids\[1\]: is 3, out of range"):
        part_arrays(own, Q[:6], MU[:2], replace(part, ids=[0, 3]))
    with pytest.raises(BadInput, match="part.ids: do not ascend"):
        part_arrays(own, Q[:6], MU[:2], replace(part, ids=[2, 0]))
