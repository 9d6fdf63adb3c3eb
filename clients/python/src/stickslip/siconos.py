"""Problems of Siconos, solved by the service: the same components (N, T1, T2) in the same order, so the vectors are those of Siconos."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .answer import Answer
from .client import Client, connect
from .errors import BadInput
from .options import SolveOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Contacts with friction in space; Siconos has others with 2 and 5 components.
_DIMENSION = 3


def solve(
    problem: Any, client: Optional[Client] = None, *, timeout: Optional[float] = None, **options: Unpack[SolveOptions]
) -> Answer:
    """
    Solves a ``siconos.numerics.FrictionContactProblem``, whose matrix may be dense, sparse or of blocks. Without a client one is
    connected for this solve, as ``connect()`` does. ``measure="natural"`` has the tolerance mean what it means there.
    """
    W = _matrix_of(problem)
    if client is not None:
        return client.solve(W, problem.q, problem.mu, timeout=timeout, **options)
    with connect() as own:
        return own.solve(W, problem.q, problem.mu, timeout=timeout, **options)


def _matrix_of(problem: Any) -> Any:
    from siconos import numerics

    if not isinstance(problem, numerics.FrictionContactProblem):
        raise BadInput("problem", f"is of the type {type(problem).__name__}", "give a FrictionContactProblem")
    if problem.dimension != _DIMENSION:
        raise BadInput("problem.dimension", f"is {problem.dimension}", "give contacts with three components")
    if problem.M is None:
        raise BadInput("problem.M", "is missing", "give the problem its matrix")
    # Siconos converts all three kinds of matrix, and makes a matrix of this module, which it does not import itself.
    import scipy.sparse  # noqa: F401

    return numerics.NM_csc(problem.M)
