"""A solve that is under way."""

from __future__ import annotations

from typing import Optional, Tuple

from .answer import Answer, answer_of
from .channel import Channel, Exchange
from .errors import BadMessage, Timeout


class Request:
    """Until its answer is there, the arrays that it was made of must stay as they are: they are sent as they stand, without a copy."""

    def __init__(self, channel: Channel, exchange: Exchange, shape: Optional[Tuple[int, ...]] = None) -> None:
        self._channel = channel
        self._exchange = exchange
        self._shape = shape
        self._answer: Optional[Answer] = None

    @property
    def id(self) -> str:
        """As ``Client.fetch`` takes it, also from another process of the same client."""
        return self._exchange.id

    def done(self) -> bool:
        """Takes in what has arrived, without waiting."""
        return self._exchange.is_done or self._channel.wait(self._exchange, 0)

    def cancel(self) -> None:
        """Asks the service to stop. ``result`` then raises Cancelled, or has the best iterate so far with the status cancelled."""
        self._channel.cancel(self._exchange)

    def result(self, timeout: Optional[float] = None) -> Answer:
        """Waits for the answer; raises Timeout where it is not there after so many seconds, and can be called again."""
        if self._answer is not None:
            return self._answer
        exchange = self._exchange
        if not exchange.is_done and not self._channel.wait(exchange, timeout):
            raise Timeout("", f"no answer within {timeout:g} s", "wait longer, or cancel the request")
        if exchange.error is not None:
            self._channel.forget(self.id)
            raise exchange.error
        head = exchange.answer
        arrays = exchange.answer_arrays
        if head is None or not {"reaction", "velocity"} <= arrays.keys() or not isinstance(head.get("report"), dict):
            raise BadMessage("result", "has no reaction, velocity or report", "use versions of client and service that fit together")
        self._answer = answer_of(self.id, head["report"], arrays, self._shape)
        if not exchange.is_kept:
            self._channel.forget(self.id)
        return self._answer

    def abandon(self) -> None:
        """Cancels it, where nobody will ask for its result."""
        self._channel.abandon(self._exchange)
