"""A service for tests of the client alone: it speaks the protocol, remembers what it was told, and answers as the name of a request says."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

import numpy as np
import zmq

from stickslip import ConnectionOptions, hash_of
from stickslip.wire import Array, Head, arrays_of, head_of, to_frames

LIMITS = {"requests": 100, "bytes": 1e9, "seconds": 1e9, "message": 50_000_000}


class FakeService:
    """Its answer to a problem is R = max(q, 0) and U = mu of the contact three times."""

    def __init__(self) -> None:
        self.heads: List[Head] = []
        self.arrays: Dict[str, Dict[str, Array]] = {}
        self.held: List[Tuple[bytes, Head, Dict[str, Array]]] = []
        self.limits = dict(LIMITS)
        self._context: zmq.Context[Any] = zmq.Context()
        self._public, self._secret = zmq.curve_keypair()
        self._client = zmq.curve_keypair()
        self._socket: Any = None
        self._known: Set[bytes] = set()
        self._answers: Dict[str, List[Any]] = {}
        self._patterns: Set[str] = set()
        self._work: List[Callable[[], None]] = []
        self._port = 0
        self._is_open = True
        self.start()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def options(self) -> ConnectionOptions:
        public, secret = (key.decode() for key in self._client)
        return ConnectionOptions(f"tcp://127.0.0.1:{self._port}", self._public.decode(), public, secret, "right")

    def start(self) -> None:
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.curve_server = 1
        self._socket.curve_secretkey = self._secret
        self._socket.linger = 0
        if self._port == 0:
            self._port = self._socket.bind_to_random_port("tcp://127.0.0.1")
        else:
            self._bind_again()

    def _bind_again(self) -> None:
        """The socket before is closed in the background."""
        for _ in range(500):
            try:
                self._socket.bind(f"tcp://127.0.0.1:{self._port}")
                return
            except zmq.ZMQError:
                time.sleep(0.01)
        raise TimeoutError("the port of the socket before is still in use")

    def restart(self, forget: bool = False) -> None:
        """Loses all connections; and all it knew where it forgets."""

        def work() -> None:
            self._socket.close(0)
            self._known.clear()
            self.held.clear()
            if forget:
                self._answers.clear()
                self._patterns.clear()
            self.start()

        self.do(work)

    def do(self, work: Callable[[], None]) -> None:
        """In the thread of the service."""
        done = threading.Event()
        self._work.append(work)
        self._work.append(done.set)
        assert done.wait(100)

    def say(self, head: Head, to: Optional[bytes] = None) -> None:
        for peer in [to] if to is not None else list(self._known):
            self._socket.send_multipart([peer, *to_frames(head)])

    def of_type(self, kind: str) -> List[Head]:
        return [head for head in self.heads if head["type"] == kind]

    def close(self) -> None:
        self._is_open = False
        self._thread.join(10)
        self._socket.close(0)
        self._context.term()

    def _run(self) -> None:
        while self._is_open:
            for work in [self._work.pop(0) for _ in range(len(self._work))]:
                work()
            if self._socket.poll(5):
                peer, *frames = self._socket.recv_multipart()
                head = head_of(frames)
                self.heads.append(head)
                self._take(peer, head, arrays_of(head, frames))

    def _take(self, peer: bytes, head: Head, arrays: Dict[str, Array]) -> None:
        kind = head["type"]
        if kind == "hello":
            self._hello(peer, head)
        elif peer not in self._known:
            self._refuse(peer, None, "unauthorized", "hello")
        elif kind == "ping":
            self.say({"type": "pong"}, peer)
        elif kind in ("prepare", "release"):
            self.arrays[head["id"]] = arrays
            (self._patterns.add if kind == "prepare" else self._patterns.discard)(head["pattern"])
            self.say({"type": f"{kind}d", "id": head["id"], "pattern": head["pattern"]}, peer)
        elif kind == "solve":
            self._solve(peer, head, arrays)
        elif kind == "fetch":
            if head["id"] in self._answers:
                self._socket.send_multipart([peer, *self._answers[head["id"]]])
            else:
                self._refuse(peer, head["id"], "unknown-request", "id")
        elif kind == "cancel":
            for held in [each for each in self.held if each[1]["id"] == head["id"]]:
                self.held.remove(held)
                self._refuse(peer, head["id"], "cancelled", "")

    def _hello(self, peer: bytes, head: Head) -> None:
        if head["version"] != 1:
            self._refuse(peer, None, "unsupported-version", "version")
        elif head["token"] != "right":
            self._refuse(peer, None, "unauthorized", "token")
        else:
            self._known.add(peer)
            kept = {"seconds": 60, "bytes": 1e9}
            self.say(
                {"type": "welcome", "version": 1, "server": "0", "name": "test", "ranks": 2, "limits": self.limits, "kept": kept},
                peer,
            )

    def _solve(self, peer: bytes, head: Head, arrays: Dict[str, Array]) -> None:
        how = head.get("name", "")
        self.arrays[head["id"]] = arrays
        if head["id"] in self._answers:
            self._socket.send_multipart([peer, *self._answers[head["id"]]])
        elif how.startswith("error "):
            self._refuse(peer, head["id"], how[6:], "W")
        elif how == "hold" and len(self.of_type("hello")) == 1:
            self.held.append((peer, head, arrays))
        elif how == "no report":
            self.say({"type": "result", "id": head["id"]}, peer)
        elif "pattern" in head and head["pattern"] not in self._patterns:
            self._refuse(peer, head["id"], "unknown-pattern", "pattern")
        else:
            if head.get("progress"):
                for iterations in range(3):
                    numbers = {"iterations": iterations, "products": 2 * iterations, "error": 0.5, "exact": True, "seconds": 0.1}
                    self.say({"type": "progress", "id": head["id"], "method": "gs", **numbers}, peer)
            self._answers[head["id"]] = to_frames(*self._answer(head, arrays))
            self._socket.send_multipart([peer, *self._answers[head["id"]]])

    def _answer(self, head: Head, arrays: Dict[str, Array]) -> Tuple[Head, Dict[str, Array]]:
        reaction = np.maximum(arrays["q"], 0)
        velocity = np.repeat(arrays["mu"], 3) if "mu" in arrays else np.zeros(reaction.size)
        report = {"status": "solved", "contacts": head["contacts"], "hash": hash_of(reaction), "options": head.get("options")}
        return {"type": "result", "id": head["id"], "report": report}, {"reaction": reaction, "velocity": velocity}

    def _refuse(self, peer: bytes, id: Optional[str], code: str, field: str) -> None:
        known = {} if id is None else {"id": id}
        self.say({"type": "error", **known, "code": code, "field": field, "message": "is wrong", "remedy": "do better"}, peer)
