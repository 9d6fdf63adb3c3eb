"""
The conversation with the service over one socket: hello, what is under way, and saying it again after the connection was lost.

ZeroMQ connects again by itself, and does not tell. So while somebody waits and hears nothing, the channel pings; a service that does
not know the connection asks for another hello, and after that what is not answered is sent again under the same ids: the service
solves no id twice.
"""

from __future__ import annotations

import secrets
import threading
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

import zmq

from .connection import ConnectionOptions, is_local, open_socket
from .errors import BadMessage, Cancelled, ConnectionLost, Error, TooLarge, Unauthorized, error_of
from .wire import PIECE_BYTES, WHOLE, Array, Buffer, Head, arrays_of, head_of, to_frames
from .version import PROTOCOL_VERSION, __version__

PING_SECONDS = 1.0
#: Answers that need not be kept are told to the service so many at a time.
FORGET_MANY = 64
#: What leaving waits for at most, so that the service hears of it.
LINGER_MS = 200


class Exchange:
    """
    A message that waits for its answer, and the answer once it is there. The arrays must stay as they are until then. ``again`` is what is
    sent over another connection, where a service that was started again may not know what the first message refers to.
    """

    def __init__(
        self,
        head: Head,
        arrays: Mapping[str, Array],
        on_progress: Optional[Callable[[Head], None]] = None,
        again: Optional[Tuple[Head, Mapping[str, Array]]] = None,
    ) -> None:
        self.id = str(head["id"])
        #: Whether the service is to keep the answer after it was received here.
        self.is_kept = bool(head.get("keep")) or head["type"] == "fetch"
        self.on_progress = on_progress
        self.message: Tuple[Head, Mapping[str, Array]] = (head, arrays)
        self.again = again or self.message
        self.nbytes = sum(array.nbytes for array in arrays.values())
        self.is_sent = False
        self.is_cancelled = False
        #: Nobody will ask for the answer.
        self.is_abandoned = False
        self.answer: Optional[Head] = None
        self.answer_arrays: Dict[str, Array] = {}
        self.error: Optional[Error] = None

    @property
    def is_done(self) -> bool:
        return self.answer is not None or self.error is not None


class Channel:
    """Of one thread at a time."""

    def __init__(self, options: ConnectionOptions, timeout: float, patience: float) -> None:
        self._options = options
        self._patience = patience
        self._context: zmq.Context[Any] = zmq.Context()
        self._is_local = is_local(options)
        self._socket = open_socket(self._context, options, self._is_local)
        # The same thread may come again, from a caller's progress function.
        self._lock = threading.RLock()
        self._prefix = secrets.token_hex(6)
        self._count = 0
        #: All that are not answered, in the order in which they came.
        self._under_way: Dict[str, Exchange] = {}
        self._forgotten: List[str] = []
        self._heard = self._pinged = time.monotonic()
        self._pinged_since: Optional[float] = None
        self._is_ready = False
        #: How many there were; what the service knows by name may be of one before.
        self.connections = 0
        self.welcome: Head = {}
        self.bye: Optional[str] = None
        try:
            self._hello()
            if not self._wait(lambda: self._is_ready, timeout):
                remedy = "see that the service runs, and that the connection file is the one it has written last"
                raise ConnectionLost(options.zeromq, f"does not answer within {timeout:g} s", remedy)
        except BaseException:
            self.close()
            raise

    def new_id(self) -> str:
        self._count += 1
        return f"{self._prefix}.{self._count}"

    def find(self, id: str) -> Optional[Exchange]:
        return self._under_way.get(id)

    def start(self, exchange: Exchange) -> None:
        """Sends the message when the service has room for it; the answer comes while somebody waits."""
        limit = self.welcome["limits"]["message"]
        if exchange.nbytes > limit:
            remedy = "send it in parts, or start the service with a larger --limit-message"
            raise TooLarge("message", f"has {exchange.nbytes} bytes of at most {limit}", remedy)
        with self._guard():
            self._under_way[exchange.id] = exchange
            self._pump()

    def wait(self, exchange: Exchange, seconds: Optional[float]) -> bool:
        """Until the answer is there; False where it is not by then."""
        with self._guard():
            return self._wait(lambda: exchange.is_done, seconds)

    def cancel(self, exchange: Exchange) -> None:
        if exchange.is_done or exchange.is_cancelled:
            return
        with self._guard():
            exchange.is_cancelled = True
            if exchange.is_sent:
                self._tell({"type": "cancel", "id": exchange.id})
                return
            del self._under_way[exchange.id]
            exchange.error = Cancelled("", "the request was cancelled before it was sent", "")

    def abandon(self, exchange: Exchange) -> None:
        """Cancels what nobody will wait for any more."""
        if not self._socket.closed:
            exchange.is_abandoned = True
            self.cancel(exchange)

    def forget(self, id: str, at_once: bool = False) -> None:
        """The answer need not be kept."""
        self._forgotten.append(id)
        if at_once or len(self._forgotten) >= FORGET_MANY:
            with self._guard():
                self._send_forgotten()

    def close(self) -> None:
        if self._socket.closed:
            return
        if self._is_ready and self._forgotten:
            self._send_forgotten()
        self._socket.close(LINGER_MS)
        self._context.term()

    def _guard(self) -> "_Guard":
        if self._socket.closed:
            raise ConnectionLost("client", "is closed", "use it before its end, or connect again")
        return _Guard(self._lock)

    def _hello(self) -> None:
        self._is_ready = False
        client = f"stickslip-python {__version__}"
        self._tell({"type": "hello", "version": PROTOCOL_VERSION, "client": client, "token": self._options.token})

    def _tell(self, head: Head) -> None:
        self._send(to_frames(head))

    def _send(self, frames: List[Buffer]) -> None:
        self._socket.send_multipart(frames, copy=False)

    def _send_forgotten(self) -> None:
        self._tell({"type": "forget", "ids": self._forgotten})
        self._forgotten = []

    def _wait(self, is_over: Callable[[], bool], seconds: Optional[float]) -> bool:
        end = None if seconds is None else time.monotonic() + seconds
        while not is_over():
            now = time.monotonic()
            if end is not None and now >= end and not self._socket.poll(0):
                return False
            self._look_for_life(now)
            pause = PING_SECONDS if end is None else max(0.0, min(PING_SECONDS, end - now))
            if self._socket.poll(int(1000 * pause) + 1):
                self._heard = time.monotonic()
                self._pinged_since = None
                self._receive()
        return True

    def _look_for_life(self, now: float) -> None:
        if self.welcome and now - max(self._heard, self._pinged) >= PING_SECONDS:
            self._pinged = now
            self._pinged_since = self._pinged_since or now
            self._tell({"type": "ping"})
        silence = 0.0 if self._pinged_since is None else now - self._pinged_since
        if silence > self._patience:
            self._pinged_since = None
            remedy = "see whether the service runs; what is under way can still be waited for"
            raise ConnectionLost(self._options.zeromq, f"has been silent for {silence:.0f} s", remedy)

    def _receive(self) -> None:
        frames: List[Buffer] = [frame.buffer for frame in self._socket.recv_multipart(copy=False)]
        head = head_of(frames)
        kind = head["type"]
        if kind == "welcome":
            self._welcome(head)
        elif kind == "bye":
            self.bye = str(head.get("reason", ""))
        elif kind == "error" and self._is_of_connection(head):
            self._refused(head)
        elif kind in ("result", "prepared", "released", "progress", "error"):
            self._answered(head, frames)
        elif kind not in ("ping", "pong"):
            raise BadMessage("type", f'is "{kind}"', "use versions of client and service that fit together")

    def _welcome(self, head: Head) -> None:
        self.welcome = head
        self.bye = None
        if self._is_ready:
            return
        self._is_ready = True
        self.connections += 1
        for exchange in [each for each in self._under_way.values() if each.is_sent]:
            exchange.message = exchange.again
            exchange.is_sent = False
            if exchange.is_abandoned:
                del self._under_way[exchange.id]
        self._pump()

    def _pump(self) -> None:
        """Sends what the service has room for, by its limits on requests and bytes under way."""
        if not self._is_ready:
            return
        limits = self.welcome["limits"]
        sent = [each.nbytes for each in self._under_way.values() if each.is_sent]
        count, total = len(sent), sum(sent)
        for exchange in [each for each in self._under_way.values() if not each.is_sent]:
            if count > 0 and (count >= limits["requests"] or total + exchange.nbytes > limits["bytes"]):
                return
            exchange.is_sent = True
            # What is not encrypted needs no second copy, and arrays in one piece need none on the other side either.
            self._send(to_frames(*exchange.message, WHOLE if self._is_local else PIECE_BYTES))
            if exchange.is_cancelled:
                self._tell({"type": "cancel", "id": exchange.id})
            count, total = count + 1, total + exchange.nbytes

    def _is_of_connection(self, head: Head) -> bool:
        return "id" not in head or (head.get("code") == Unauthorized.code and head.get("field") == "hello")

    def _refused(self, head: Head) -> None:
        error = error_of(head)
        if not isinstance(error, Unauthorized) or error.field != "hello" or not self.welcome:
            raise error
        # The service does not know the connection that ZeroMQ has made by itself. With the socket goes what waits in it; the welcome
        # sends again what is not answered.
        self._socket.close(0)
        self._is_local = is_local(self._options)
        self._socket = open_socket(self._context, self._options, self._is_local)
        self._hello()

    def _answered(self, head: Head, frames: List[Buffer]) -> None:
        exchange = self._under_way.get(str(head.get("id")))
        if exchange is None:
            return
        if head["type"] == "progress":
            if exchange.on_progress is not None and not exchange.is_abandoned:
                exchange.on_progress(head)
            return
        del self._under_way[exchange.id]
        if head["type"] == "error":
            exchange.error = error_of(head)
        else:
            exchange.answer_arrays = arrays_of(head, frames)
            exchange.answer = head
        if exchange.is_abandoned:
            self._forgotten.append(exchange.id)
        self._pump()


class _Guard:
    """Says so where two threads use one client, instead of crashing somewhere inside the socket."""

    def __init__(self, lock: "threading._RLock") -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("a client is used by one thread at a time; connect once in each thread")

    def __exit__(self, *_: object) -> None:
        self._lock.release()
