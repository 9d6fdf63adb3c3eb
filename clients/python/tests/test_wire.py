"""Messages as bytes: what is packed is read again, and what is damaged is refused."""

from __future__ import annotations

import random

import msgpack
import numpy as np
import pytest

from stickslip import BadMessage
from stickslip.wire import ARRAY_FRAMES_MAX, PIECE_BYTES, arrays_of, head_of, to_frames

ARRAYS = {"q": np.arange(6.0), "W.column": np.arange(4, dtype="<i4"), "x": np.frombuffer(b"abc", "u1"), "none": np.empty(0)}


def test_message_is_read_as_it_was() -> None:
    frames = to_frames({"type": "solve", "id": "a", "name": None}, ARRAYS)
    head = head_of(frames)
    assert head == {
        "type": "solve",
        "id": "a",
        "arrays": [["q", "f64"], ["W.column", "i32"], ["x", "u8"], ["none", "f64"]],
    }
    read = arrays_of(head, frames)
    assert list(read) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert read[name].dtype == array.dtype and np.array_equal(read[name], array)


def test_bytes_are_those_of_the_protocol() -> None:
    head, numbers = to_frames({"type": "x"}, {"q": np.array([1.0, -2.0])})
    assert head == b"\x82\xa4type\xa1x\xa6arrays\x91\x92\xa1q\xa3f64"
    assert bytes(numbers) == bytes.fromhex("000000000000f03f00000000000000c0")


def test_long_array_goes_in_pieces_without_a_copy() -> None:
    long = np.arange(PIECE_BYTES // 8 * 2 + 5.0)
    frames = to_frames({"type": "x"}, {"a": long, "b": np.ones(1)})
    assert [len(frame) for frame in frames[1:]] == [PIECE_BYTES, PIECE_BYTES, 40, 8]
    assert np.shares_memory(np.frombuffer(frames[2], "u1"), long)
    assert np.array_equal(arrays_of(head_of(frames), frames)["a"], long)


def test_very_long_array_has_no_more_frames_than_a_message_may() -> None:
    # Nothing of it is touched, so it takes no memory.
    long = np.empty(2 * PIECE_BYTES * ARRAY_FRAMES_MAX // 8)
    assert len(to_frames({"type": "x"}, {"a": long, "b": np.ones(1)})) <= 1 + ARRAY_FRAMES_MAX


def test_single_frame_is_a_view() -> None:
    frames = to_frames({"type": "x"}, {"q": np.arange(3.0)})
    assert np.shares_memory(arrays_of(head_of(frames), frames)["q"], np.frombuffer(frames[1], "u1"))


@pytest.mark.parametrize(
    ("arrays", "pieces", "problem"),
    [
        ([["q", "f64"]], [], "does not name each frame once"),
        ([["q", "f64"], ["x", "u8"], ["q", "f64"]], [b"", b"", b""], "is there twice"),
        ([["q", "f64"], ["q", "i32"]], [b"", b""], "has pieces of several types"),
        ([["q", "f32"]], [b""], 'is of the type "f32"'),
        ([["q", "f64"]], [b"1234567"], "is not a whole number of f64"),
        ([["q", 1]], [b""], "is not a list of names and types"),
        ("q", [b""], "does not name each frame once"),
    ],
)
def test_arrays_that_are_none(arrays: object, pieces: list[bytes], problem: str) -> None:
    with pytest.raises(BadMessage, match=problem):
        arrays_of({"type": "x", "arrays": arrays}, [b"", *pieces])


def test_damaged_message_is_read_or_refused() -> None:
    frames = [bytes(frame) for frame in to_frames({"type": "result", "id": "a", "report": {"x": [1, 2.5, None]}}, ARRAYS)]
    chance = random.Random(12)
    refused = 0
    for _ in range(5000):
        damaged = [bytearray(frame) for frame in frames]
        for _ in range(3):
            victim = damaged[0] if chance.random() < 0.8 else chance.choice(damaged)
            if victim:
                victim[chance.randrange(len(victim))] = chance.randrange(256)
        if chance.random() < 0.3:
            del damaged[0][chance.randrange(len(damaged[0])) :]
        if chance.random() < 0.1:
            damaged.pop()
        copies = [bytes(frame) for frame in damaged]
        try:
            arrays_of(head_of(copies), copies)
        except BadMessage:
            refused += 1
    assert refused > 2000


@pytest.mark.parametrize("packed", [b"", b"\xc1", msgpack.packb(7), msgpack.packb({"type": 7}), msgpack.packb({}) + b"x", b"\x91" * 5000])
def test_head_that_is_none(packed: bytes) -> None:
    with pytest.raises(BadMessage):
        head_of([packed])
