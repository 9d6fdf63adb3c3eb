"""The client: problems go to the service, answers come back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Tuple, Union

import numpy as np

from .answer import Answer
from .blocks import blocks_of, integers, numbers
from .channel import Channel, Exchange
from .connection import ConnectionOptions, read_connection
from .errors import BadInput, Timeout
from .options import Progress, SolveOptions, head_of_options
from .pattern import Pattern
from .problem import (
    Equalities,
    GlobalForm,
    RigidContacts,
    Vector,
    W,
    block_arrays,
    friction,
    part_arrays,
    problem_arrays,
    rigid_arrays,
)
from .request import Request
from .wire import Array, Head, field_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

CONNECT_SECONDS = 10.0
#: How long nothing may be heard of a service that is waited for.
PATIENCE_SECONDS = 60.0
_KEY_MAX = 2**53


def connect(
    connection: Union[None, str, "os.PathLike[str]", ConnectionOptions] = None,
    *,
    timeout: float = CONNECT_SECONDS,
    patience: float = PATIENCE_SECONDS,
) -> "Client":
    """
    Connects to a service by its connection file, by default the one that STICKSLIP_CONNECTION names, or that of the service which
    the user has started on this machine. ``patience``: seconds of
    silence, while something is waited for and the connection is made again and again, after which ConnectionLost is raised.
    """
    return Client(Channel(read_connection(connection), timeout, patience))


class Client:
    """A connection to the service, for one thread at a time. Use it in a ``with`` statement, or close it."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._is_closed = False

    @property
    def name(self) -> str:
        """What the service calls this client."""
        return str(self._channel.welcome["name"])

    @property
    def ranks(self) -> int:
        return int(self._channel.welcome["ranks"])

    @property
    def limits(self) -> Mapping[str, float]:
        """What this client may have under way: requests, bytes, seconds; and the bytes of a message."""
        return dict(self._channel.welcome["limits"])

    @property
    def draining(self) -> Optional[str]:
        """Why the service takes no more requests, where it has said so."""
        return self._channel.bye

    @property
    def closed(self) -> bool:
        return self._is_closed

    def solve(
        self,
        W: W,
        q: Vector,
        mu: Vector,
        equalities: Optional[Equalities] = None,
        *,
        timeout: Optional[float] = None,
        **options: Unpack[SolveOptions],
    ) -> Answer:
        """
        Solves a problem and waits for the answer. W is a matrix of scipy.sparse or an array with three rows and columns per
        contact, (indptr, indices, data) of its blocks, RigidContacts, or a GlobalForm. After ``timeout`` seconds the request is
        cancelled, and Timeout raised.
        """
        return self._result(self.submit(W, q, mu, equalities, **options), timeout)

    def submit(
        self, W: W, q: Vector, mu: Vector, equalities: Optional[Equalities] = None, **options: Unpack[SolveOptions]
    ) -> Request:
        """The same without waiting. The arrays must stay as they are until the answer is there."""
        head = head_of_options(options)
        part = options.get("part")
        if part is None:
            contacts, arrays = problem_arrays(W, q, mu, equalities, options.get("point"), options.get("laws"))
            return self._submit({"contacts": contacts, **head}, arrays, options, np.shape(q))
        if options.get("point") is not None:
            raise BadInput("point", "is not for a part", "give it as part.point")
        arrays = part_arrays(W, q, mu, part, options.get("laws"))
        head["part"] = {"group": part.group, "index": int(part.index), "of": int(part.of)}
        return self._submit({"contacts": int(part.contacts), **head}, arrays, options, np.shape(q))

    def prepare(
        self,
        W: W,
        q: Optional[Vector] = None,
        mu: Optional[Vector] = None,
        *,
        point: Optional[Vector] = None,
        timeout: Optional[float] = None,
    ) -> Pattern:
        """
        Has the service look once at which contacts couple. W's values, q and mu, where given, are the first values; ``point`` says where
        the contacts are, as in ``solve``.
        """
        if isinstance(W, GlobalForm):
            raise BadInput("W", "is the global form", "prepare a matrix or RigidContacts")
        blocks = None if isinstance(W, RigidContacts) else blocks_of("W", W)
        if isinstance(W, RigidContacts):
            contacts = integers("rigid.body", W.body).size // 2
            arrays = rigid_arrays(W, contacts)
        else:
            assert blocks is not None
            contacts = blocks.start.size - 1
            arrays = block_arrays(blocks, contacts, contacts)
        if q is not None:
            arrays["q"] = numbers("q", q, 3 * contacts)
        if mu is not None:
            arrays["mu"] = friction(mu, contacts)
        if point is not None:
            arrays["geometry.point"] = numbers("point", point, 3 * contacts)
        return Pattern(self, contacts, blocks, arrays, timeout)

    def fetch(self, id: str, timeout: Optional[float] = None) -> Answer:
        """The answer of an earlier request, also of another process with the same connection file, as soon as there is one. The service keeps it until ``forget``."""
        exchange = self._channel.find(id)
        if exchange is None:
            exchange = Exchange({"type": "fetch", "id": id}, {})
            self._channel.start(exchange)
        return Request(self._channel, exchange).result(timeout)

    def forget(self, id: str) -> None:
        """Tells the service that the answer of a request with ``keep`` is no longer wanted."""
        self._channel.forget(id, at_once=True)

    def close(self) -> None:
        """What is under way is cancelled by the service, except where ``keep`` was given."""
        self._is_closed = True
        self._channel.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _connections(self) -> int:
        return self._channel.connections

    def _new_id(self) -> str:
        return self._channel.new_id()

    def _ask(
        self, type: str, head: Head, arrays: Optional[Dict[str, Array]] = None, timeout: Optional[float] = None
    ) -> Head:
        """A message that is answered at once."""
        exchange = Exchange({"type": type, "id": self._channel.new_id(), **head}, arrays or {})
        self._channel.start(exchange)
        if not self._channel.wait(exchange, timeout):
            self._channel.abandon(exchange)
            raise Timeout(type, f"is not answered within {timeout:g} s", "wait longer")
        if exchange.error is not None:
            raise exchange.error
        assert exchange.answer is not None
        return exchange.answer

    def _submit(
        self,
        head: Head,
        arrays: Dict[str, Array],
        options: Mapping[str, Any],
        shape: Optional[Tuple[int, ...]],
        whole: Optional[Mapping[str, Array]] = None,
    ) -> Request:
        """``whole`` has the arrays of the whole problem, where the message only has what is new in a pattern."""
        rows = arrays["ids"].size if "ids" in arrays else int(head["contacts"])
        more: Dict[str, Array] = {}
        if options.get("start") is not None:
            more["start"] = numbers("start", options["start"], 3 * rows)
        if options.get("keys") is not None:
            more["keys"] = _keys(options["keys"], rows)
        on_progress = options.get("progress")
        report = None if on_progress is None else lambda message: on_progress(_progress_of(message))
        head = {"type": "solve", "id": self._channel.new_id(), **head}
        again = None if whole is None else ({**head, "pattern": None}, {**whole, **more})
        exchange = Exchange(head, {**arrays, **more}, report, again)
        self._channel.start(exchange)
        return Request(self._channel, exchange, shape)

    def _result(self, request: Request, timeout: Optional[float]) -> Answer:
        try:
            return request.result(timeout)
        except BaseException:
            # Nobody else has the request: neither a caller that was interrupted nor one whose time is over will ask again.
            request.abandon()
            raise


def _progress_of(message: Head) -> Progress:
    names = ("iterations", "products", "error", "exact", "seconds", "method")
    return Progress(*(field_of(message, name) for name in names))


def _keys(keys: Vector, rows: int) -> Array:
    array = numbers("keys", keys, rows)
    wrong = np.flatnonzero((array != np.floor(array)) | (np.abs(array) >= _KEY_MAX))
    if wrong.size:
        raise BadInput(f"keys[{wrong[0]}]", f"is {array[wrong[0]]}", "give whole numbers below 2^53, each once")
    return array
