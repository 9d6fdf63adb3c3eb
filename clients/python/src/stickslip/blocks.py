"""Arrays and matrices of callers as the types of messages: no copy where they have them already."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np

from .errors import BadInput
from .wire import Array

_INDEX_MAX = 2**31 - 1


class Blocks(NamedTuple):
    """Blocks of 3 x 3 in compressed rows; nine values each, by rows."""

    start: Array
    column: Array
    values: Array


def numbers(name: str, value: Any, size: Optional[int] = None) -> Array:
    """Finite doubles in one row."""
    if np.iscomplexobj(value):
        raise BadInput(name, "is complex", "give real numbers")
    try:
        array: Array = np.ascontiguousarray(value, "<f8").reshape(-1)
    except (TypeError, ValueError) as error:
        raise BadInput(name, f"is not an array of numbers ({error})", "give an array of doubles") from error
    if size is not None and array.size != size:
        raise BadInput(name, f"has {array.size} values instead of {size}", "make the sizes agree")
    # The sum is finite only if all are, and takes a fraction of the time.
    with np.errstate(all="ignore"):
        finite = np.isfinite(array.sum())
    if not finite:
        wrong = np.flatnonzero(~np.isfinite(array))
        if wrong.size:
            raise BadInput(f"{name}[{wrong[0]}]", f"is {array[wrong[0]]}", "give finite numbers only")
    return array


def integers(name: str, value: Any) -> Array:
    """Whole numbers of 32 bits in one row."""
    array = np.asarray(value)
    if array.size == 0:
        return np.empty(0, "<i4")
    if array.dtype.kind not in "iu":
        raise BadInput(name, f"is of the type {array.dtype}", "give an array of integers")
    if array.dtype.itemsize > 4 or array.dtype.kind == "u":
        if int(array.max()) > _INDEX_MAX or int(array.min()) < -_INDEX_MAX:
            raise BadInput(name, "has numbers beyond 32 bits", "give numbers below 2147483648")
    return np.ascontiguousarray(array, "<i4").reshape(-1)


def blocks_of(name: str, matrix: Any) -> Blocks:
    """The blocks of a matrix in any of the forms that callers have."""
    if isinstance(matrix, (tuple, list)) and len(matrix) == 3:
        start, column, data = matrix
        return Blocks(integers(f"{name}.rowStart", start), integers(f"{name}.column", column), numbers(f"{name}.values", data))
    if isinstance(matrix, np.ndarray):
        return _of_dense(name, matrix)
    if not hasattr(matrix, "tobsr"):
        remedy = "give a matrix of scipy.sparse, an array, or (indptr, indices, data) of blocks of 3 x 3"
        raise BadInput(name, f"is of the type {type(matrix).__name__}", remedy)
    _check_shape(name, matrix.shape)
    is_ready = matrix.format == "bsr" and matrix.blocksize == (3, 3)
    bsr = matrix if is_ready else matrix.tobsr(blocksize=(3, 3))
    return Blocks(
        integers(f"{name}.rowStart", bsr.indptr), integers(f"{name}.column", bsr.indices), numbers(f"{name}.values", bsr.data)
    )


def _of_dense(name: str, matrix: Array) -> Blocks:
    """Blocks of an array that are not zero, and those on the diagonal."""
    _check_shape(name, matrix.shape)
    rows, columns = matrix.shape[0] // 3, matrix.shape[1] // 3
    blocks = matrix.reshape(rows, 3, columns, 3).transpose(0, 2, 1, 3)
    listed = (blocks != 0).any(axis=(2, 3)) | np.eye(rows, columns, dtype=bool)
    row, column = np.nonzero(listed)
    start = np.searchsorted(row, np.arange(rows + 1))
    return Blocks(integers(name, start), integers(name, column), numbers(f"{name}.values", blocks[row, column]))


def _check_shape(name: str, shape: Any) -> None:
    if len(shape) != 2 or shape[0] % 3 != 0 or shape[1] % 3 != 0:
        found = " x ".join(str(size) for size in shape)
        raise BadInput(name, f"is {found}", "give a matrix with three rows and three columns per contact")
