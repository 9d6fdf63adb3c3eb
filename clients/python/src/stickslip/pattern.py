"""A prepared pattern: the service knows which contacts couple, and only what changes is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional

import numpy as np

from .answer import Answer
from .blocks import Blocks, blocks_of, numbers
from .errors import BadInput, OtherPattern, UnknownPattern
from .options import SolveOptions, head_of_options
from .problem import RIGID_NAMES, Matrix, Vector, friction
from .request import Request
from .wire import Array

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .client import Client


class Pattern:
    """
    Made by ``Client.prepare``. What a solve leaves out is as it was. The arrays that were given last must stay as they are: a service
    that was started again is told all of it once more.
    """

    def __init__(
        self, client: "Client", contacts: int, blocks: Optional[Blocks], arrays: Dict[str, Array], timeout: Optional[float]
    ) -> None:
        self._client = client
        self._blocks = blocks
        self._arrays = arrays
        self._is_released = False
        self.contacts = contacts
        self._prepare(timeout)

    def _prepare(self, timeout: Optional[float] = None) -> None:
        self.name = self._client._new_id()
        self._connection = self._client._connections
        self._client._ask("prepare", {"pattern": self.name, "contacts": self.contacts}, self._arrays, timeout)

    def solve(
        self,
        q: Optional[Vector] = None,
        mu: Optional[Vector] = None,
        values: Optional[Matrix] = None,
        *,
        rigid: Optional[Dict[str, Vector]] = None,
        timeout: Optional[float] = None,
        **options: Unpack[SolveOptions],
    ) -> Answer:
        """Solves with new values and waits. After ``timeout`` seconds the request is cancelled, and Timeout raised."""
        return self._client._result(self.submit(q, mu, values, rigid=rigid, **options), timeout)

    def submit(
        self,
        q: Optional[Vector] = None,
        mu: Optional[Vector] = None,
        values: Optional[Matrix] = None,
        *,
        rigid: Optional[Dict[str, Vector]] = None,
        **options: Unpack[SolveOptions],
    ) -> Request:
        """
        The same without waiting. ``values`` are the blocks of W in the order of the pattern, or a matrix of the same
        pattern; ``rigid`` has what is new of the bodies by the names of RigidContacts.
        """
        if self._is_released:
            raise UnknownPattern("pattern", "was released", "prepare it again")
        arrays: Dict[str, Array] = {}
        if q is not None:
            arrays["q"] = numbers("q", q, 3 * self.contacts)
        if mu is not None:
            arrays["mu"] = friction(mu, self.contacts)
        if values is not None:
            arrays["W.values"] = self._values(values)
        for name, value in (rigid or {}).items():
            if name not in RIGID_NAMES or name == "body":
                raise BadInput(f"rigid.{name}", "is not new from solve to solve", "give frame, arm, inverse_mass or inverse_inertia")
            arrays[f"rigid.{RIGID_NAMES[name]}"] = numbers(f"rigid.{name}", value)
        if options.get("point") is not None:
            raise BadInput("point", "is that of the pattern", "give it to prepare")
        if options.get("laws") is not None:
            raise BadInput("laws", "are not taken with a pattern", "solve the problem as a whole")
        more = head_of_options(options)
        self._arrays = {**self._arrays, **arrays}
        if self._connection != self._client._connections:
            self._prepare()
        head = {"contacts": self.contacts, "pattern": self.name, **more}
        return self._client._submit(head, arrays, options, None if q is None else np.shape(q), self._arrays)

    def release(self) -> None:
        """Has the service forget the pattern."""
        if self._is_released:
            return
        self._is_released = True
        if self._connection == self._client._connections:
            self._client._ask("release", {"pattern": self.name})

    def __enter__(self) -> "Pattern":
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        if not self._client.closed:
            self.release()

    def _values(self, values: Matrix) -> Array:
        if not hasattr(values, "tobsr"):
            array = numbers("W.values", values)
            if self._blocks is not None and array.size != 9 * self._blocks.column.size:
                found = f"has {array.size} values instead of {9 * self._blocks.column.size}"
                raise OtherPattern("W.values", found, "give nine for each block of the prepared pattern")
            return array
        blocks = blocks_of("W", values)
        mine = self._blocks
        if mine is None or not (np.array_equal(mine.start, blocks.start) and np.array_equal(mine.column, blocks.column)):
            raise OtherPattern("W", "has other blocks than what was prepared", "prepare it, or solve without a pattern")
        return blocks.values
