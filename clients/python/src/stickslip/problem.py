"""A problem as the named arrays of a message: W from the formats of SciPy and NumPy, bodies, the global form; with the checks of sizes and numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from .blocks import Blocks, blocks_of, integers, numbers
from .errors import BadInput
from .wire import Array

Vector = npt.ArrayLike
#: A matrix of SciPy, a dense array, or (indptr, indices, data) of blocks or, where it is not of blocks, of entries.
Matrix = Any


@dataclass(frozen=True)
class RigidContacts:
    """Bodies and the geometry of their contacts, from which the service takes W = H M^-1 H^T without forming it."""

    #: Two bodies per contact; -1 for an obstacle, which does not move.
    body: Vector
    #: Nine numbers per contact: the unit vectors N, T1, T2 in world coordinates.
    frame: Vector
    #: Six per contact: from the centre of body 0, then of body 1, to the contact point.
    arm: Vector
    #: One per body.
    inverse_mass: Vector
    #: Six per body: xx, yy, zz, xy, xz, yz in world axes.
    inverse_inertia: Vector
    #: Of a part: the numbers of its bodies in the whole problem, ascending, which ``body`` has.
    ids: Optional[Vector] = None


@dataclass(frozen=True)
class GlobalForm:
    """M v = H r + G l + f, G^T v + b = 0, u = H^T v + w."""

    M: Matrix
    #: Degrees of freedom x 3 contacts.
    H: Matrix
    f: Vector
    w: Vector
    G: Optional[Matrix] = None
    b: Optional[Vector] = None


@dataclass(frozen=True)
class Equalities:
    """V^T R + Q l + s = 0 with l free, and U = W R + V l + q; Q is called R in FCLIB files."""

    V: Matrix
    R: Matrix
    s: Vector


#: Names of the laws of contact, in the order of their codes (docs/conventions.md).
LAWS = ("coulomb", "frictionless", "bilateral", "relaxed", "cohesive", "anisotropic", "capped", "box", "rolling", "preloaded")


@dataclass(frozen=True)
class Laws:
    """The laws of contacts, where they are not Coulomb's."""

    #: One name of LAWS per contact, or one for all of them.
    law: Union[str, Sequence[str]]
    #: Eight numbers per contact: the first is kept for mu, the others are the law's own in the order of docs/conventions.md. Zeros where absent.
    parameters: Optional[Vector] = None


@dataclass(frozen=True)
class Part:
    """The rows that one of several clients brings: W, q and mu are of these contacts, with columns numbered in the whole problem."""

    #: The name of the problem, the same for all of its parts and used once.
    group: str
    index: int
    of: int
    #: The numbers of the contacts in the whole problem, ascending.
    ids: Vector
    #: How many contacts the whole problem has.
    contacts: int
    #: Where the contacts are, three numbers each: they are shared out by it. In all parts, or in none.
    point: Optional[Vector] = None


W = Union[Matrix, RigidContacts, GlobalForm]
RIGID_NAMES = {"body": "body", "frame": "frame", "arm": "arm", "inverse_mass": "inverseMass", "inverse_inertia": "inverseInertia"}


def problem_arrays(
    W: W,
    q: Vector,
    mu: Vector,
    equalities: Optional[Equalities] = None,
    point: Optional[Vector] = None,
    laws: Optional[Laws] = None,
) -> Tuple[int, Dict[str, Array]]:
    """The number of contacts, and the arrays."""
    velocity = numbers("q", q)
    contacts = velocity.size // 3
    if contacts == 0 or velocity.size != 3 * contacts:
        raise BadInput("q", f"has {velocity.size} values", "give three per contact, in the order N, T1, T2")
    arrays = {"q": velocity, "mu": friction(mu, contacts)}
    if isinstance(W, RigidContacts):
        arrays.update(rigid_arrays(W, contacts))
    elif isinstance(W, GlobalForm):
        arrays.update(_global_arrays(W))
    else:
        arrays.update(block_arrays(blocks_of("W", W), contacts, contacts))
    if equalities is not None:
        arrays.update({"equalities.s": numbers("equalities.s", equalities.s)})
        arrays.update(_entries("equalities.V", equalities.V))
        arrays.update(_entries("equalities.R", equalities.R))
    if point is not None:
        arrays["geometry.point"] = numbers("point", point, 3 * contacts)
    if laws is not None:
        arrays.update(_law_arrays(laws, contacts))
    return contacts, arrays


def _law_arrays(laws: Laws, contacts: int) -> Dict[str, Array]:
    """Codes and numbers; whether these make sense is the service's check."""
    names = [laws.law] * contacts if isinstance(laws.law, str) else list(laws.law)
    if len(names) != contacts:
        raise BadInput("laws.law", f"has {len(names)} names for {contacts} contacts", "give one per contact, or one for all")
    unknown = [name for name in names if name not in LAWS]
    if unknown:
        raise BadInput("laws.law", f"has {unknown[0]!r}, which is no law", f"use {', '.join(LAWS)}")
    parameters = np.zeros(8 * contacts) if laws.parameters is None else np.ascontiguousarray(laws.parameters, "<f8").reshape(-1)
    if parameters.size != 8 * contacts:
        raise BadInput("laws.parameters", f"has {parameters.size} values instead of {8 * contacts}", "give eight per contact")
    return {"laws.law": np.array([LAWS.index(name) for name in names], "<i4"), "laws.parameters": parameters}


def part_arrays(W: Matrix, q: Vector, mu: Vector, part: Part, laws: Optional[Laws] = None) -> Dict[str, Array]:
    """The arrays of a part; there may be none of the contacts in it."""
    ids = integers("part.ids", part.ids)
    own = ids.size
    outside = np.flatnonzero((ids < 0) | (ids >= part.contacts))
    if outside.size:
        raise BadInput(f"part.ids[{outside[0]}]", f"is {ids[outside[0]]}, out of range", f"contacts go from 0 to {part.contacts - 1}")
    if own > 1 and not (np.diff(ids) > 0).all():
        raise BadInput("part.ids", "do not ascend", "sort the rows by the numbers of their contacts, each once")
    arrays = {"ids": ids, "q": numbers("q", q, 3 * own), "mu": friction(mu, own)}
    if part.point is not None:
        arrays["geometry.point"] = numbers("part.point", part.point, 3 * own)
    if laws is not None:
        arrays.update(_law_arrays(laws, own))
    if isinstance(W, RigidContacts):
        if W.ids is None:
            raise BadInput("rigid.ids", "is missing", "give the numbers of the bodies that contacts of the part touch")
        return {**arrays, "rigid.ids": integers("rigid.ids", W.ids), **rigid_arrays(W, own)}
    return {**arrays, **block_arrays(blocks_of("W", W), own, part.contacts)}


def block_arrays(blocks: Blocks, rows: int, columns: int) -> Dict[str, Array]:
    """W with its checks."""
    start, column, values = blocks
    if start.size != rows + 1:
        raise BadInput("W", f"has {start.size - 1} block rows for {rows} contacts", "make the sizes agree")
    if start[0] != 0 or (np.diff(start) < 0).any():
        raise BadInput("W.rowStart", "does not begin at 0, or decreases", "give row starts as scipy.sparse has them in indptr")
    used = int(start[-1])
    if column.size != used or values.size != 9 * used:
        found = f"ends at {used} of {column.size} columns and {values.size // 9} blocks"
        raise BadInput("W.rowStart", found, "make the sizes agree")
    wrong = np.flatnonzero((column < 0) | (column >= columns))
    if wrong.size:
        raise BadInput(f"W.column[{wrong[0]}]", f"is {column[wrong[0]]}, out of range", f"columns go from 0 to {columns - 1}")
    return {"W.rowStart": start, "W.column": column, "W.values": values}


def rigid_arrays(rigid: RigidContacts, contacts: Optional[int]) -> Dict[str, Array]:
    """Bodies with the sizes that their contacts need, where the number of contacts is known."""
    arrays: Dict[str, Array] = {}
    for field in fields(RigidContacts):
        if field.name == "ids":
            continue
        name = f"rigid.{RIGID_NAMES[field.name]}"
        value = getattr(rigid, field.name)
        arrays[name] = integers(name, value) if field.name == "body" else numbers(name, value)
    bodies = arrays["rigid.inverseMass"].size
    sizes: Sequence[Tuple[str, Optional[int]]] = (
        ("body", contacts and 2 * contacts),
        ("frame", contacts and 9 * contacts),
        ("arm", contacts and 6 * contacts),
        ("inverseInertia", 6 * bodies),
    )
    for name, size in sizes:
        found = arrays[f"rigid.{name}"].size
        if size is not None and found != size:
            raise BadInput(f"rigid.{name}", f"has {found} values instead of {size}", "make the sizes agree")
    return arrays


def friction(mu: Vector, contacts: int) -> Array:
    if np.ndim(mu) == 0 and contacts != 1:
        raise BadInput("mu", "is one number", f"give one value per contact: numpy.full({contacts}, {np.asarray(mu)}) where all have the same")
    array = numbers("mu", mu, contacts)
    negative = np.flatnonzero(array < 0)
    if negative.size:
        raise BadInput(f"mu[{negative[0]}]", f"is {array[negative[0]]}", "give friction that is zero or positive")
    return array


def _global_arrays(form: GlobalForm) -> Dict[str, Array]:
    arrays = {**_entries("global.M", form.M), **_entries("global.H", form.H)}
    arrays["global.f"] = numbers("global.f", form.f)
    arrays["global.w"] = numbers("global.w", form.w)
    if (form.G is None) != (form.b is None):
        lacking = "global.b" if form.b is None else "global.G"
        raise BadInput(lacking, "is missing, although the other is given", "give G and b, or none of them")
    if form.G is not None and form.b is not None:
        arrays.update(_entries("global.G", form.G))
        arrays["global.b"] = numbers("global.b", form.b)
    return arrays


def _entries(name: str, matrix: Matrix) -> Dict[str, Array]:
    """A sparse matrix by entries, compressed by rows."""
    if isinstance(matrix, np.ndarray):
        rows, columns = np.nonzero(matrix)
        start = np.searchsorted(rows, np.arange(matrix.shape[0] + 1))
        triple: Sequence[Any] = (start, columns, matrix[rows, columns])
    elif isinstance(matrix, (tuple, list)) and len(matrix) == 3:
        triple = matrix
    elif hasattr(matrix, "tocsr"):
        compressed = matrix.tocsr()
        triple = (compressed.indptr, compressed.indices, compressed.data)
    else:
        raise BadInput(name, f"is of the type {type(matrix).__name__}", "give a sparse matrix, an array, or (indptr, indices, data)")
    return {
        f"{name}.rowStart": integers(f"{name}.rowStart", triple[0]),
        f"{name}.column": integers(f"{name}.column", triple[1]),
        f"{name}.values": numbers(f"{name}.values", triple[2]),
    }
