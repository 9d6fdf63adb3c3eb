"""Messages as frames: the head as MessagePack, and each array as its bytes, a long one in pieces (docs/protocol.md)."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import msgpack
import numpy as np

from .errors import BadMessage

Head = Dict[str, Any]
Array = np.ndarray[Any, np.dtype[Any]]
Buffer = Union[bytes, memoryview]

#: Encrypted and sent piece by piece, a long array needs no second copy.
PIECE_BYTES = 1 << 18
#: More bytes than any array has.
WHOLE = 1 << 62
ARRAY_FRAMES_MAX = 4096
HEAD_BYTES_MAX = 1 << 26

_TYPES: Dict[str, np.dtype[Any]] = {"f64": np.dtype("<f8"), "i32": np.dtype("<i4"), "u8": np.dtype("u1")}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}


def to_frames(
    head: Mapping[str, Any], arrays: Optional[Mapping[str, Array]] = None, piece_bytes: int = PIECE_BYTES
) -> List[Buffer]:
    """The frames of a message; arrays are not copied. Fields that are None are left out."""
    given = {name: value for name, value in head.items() if value is not None}
    listed = arrays or {}
    total = sum(array.nbytes for array in listed.values())
    size = max(piece_bytes, 8 * (total // (8 * (ARRAY_FRAMES_MAX - len(listed))) + 1))
    names: List[Tuple[str, str]] = []
    pieces: List[Buffer] = []
    for name, array in listed.items():
        view = array.reshape(-1).view(np.uint8).data
        for start in range(0, max(1, view.nbytes), size):
            names.append((name, _NAMES[array.dtype]))
            pieces.append(view[start : start + size])
    if names:
        given["arrays"] = names
    packed: bytes = msgpack.packb(given)
    return [packed, *pieces]


def head_of(frames: Sequence[Buffer]) -> Head:
    """The head of a message."""
    if not frames or len(frames[0]) > HEAD_BYTES_MAX:
        raise BadMessage("head", "is missing or too long", _REMEDY)
    try:
        head = msgpack.unpackb(frames[0])
    except (ValueError, TypeError, RecursionError, UnicodeDecodeError) as error:
        raise BadMessage("head", f"is not MessagePack ({error})", _REMEDY) from error
    if not isinstance(head, dict) or not isinstance(head.get("type"), str):
        raise BadMessage("type", "is missing", _REMEDY)
    return head


def field_of(head: Head, name: str) -> Any:
    """A field that a message of its type has to have."""
    if name not in head:
        raise BadMessage(name, f"is missing in {head.get('type', 'a message')}", _REMEDY)
    return head[name]


def arrays_of(head: Head, frames: Sequence[Buffer]) -> Dict[str, Array]:
    """The arrays of a message by name: views of their frames, or one new array where a frame is not the whole of it."""
    names = head.get("arrays", [])
    if not isinstance(names, list) or len(names) != len(frames) - 1:
        raise BadMessage("arrays", "does not name each frame once", _REMEDY)
    pieces: Dict[str, Tuple[str, List[Buffer]]] = {}
    last = None
    for entry, frame in zip(names, frames[1:]):
        if not isinstance(entry, list) or len(entry) != 2 or not all(isinstance(each, str) for each in entry):
            raise BadMessage("arrays", "is not a list of names and types", _REMEDY)
        name, kind = entry
        if kind not in _TYPES:
            raise BadMessage(f"arrays.{name}", f'is of the type "{kind}", not f64, i32 or u8', _REMEDY)
        if name != last and name in pieces:
            raise BadMessage(f"arrays.{name}", "is there twice", _REMEDY)
        known, parts = pieces.setdefault(name, (kind, []))
        if known != kind:
            raise BadMessage(f"arrays.{name}", "has pieces of several types", _REMEDY)
        parts.append(frame)
        last = name
    return {name: _joined(name, _TYPES[kind], parts) for name, (kind, parts) in pieces.items()}


_REMEDY = "the client and the service may be of versions that do not fit together"


def _joined(name: str, dtype: np.dtype[Any], parts: List[Buffer]) -> Array:
    size = sum(len(part) if isinstance(part, bytes) else part.nbytes for part in parts)
    if size % dtype.itemsize != 0:
        raise BadMessage(f"arrays.{name}", f"is not a whole number of {_NAMES[dtype]}", _REMEDY)
    if len(parts) == 1:
        array: Array = np.frombuffer(parts[0], dtype) if size else np.empty(0, dtype)
        return array if array.flags.aligned else array.copy()
    whole = np.empty(size, np.uint8)
    at = 0
    for part in parts:
        piece = np.frombuffer(part, np.uint8) if len(part) else np.empty(0, np.uint8)
        whole[at : at + piece.size] = piece
        at += piece.size
    return whole.view(dtype)
