"""Where the service is and how to prove who one is: the connection file that ``stickslip serve`` writes, and the socket made of it."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import MISSING, dataclass, fields
from typing import Any, Dict, List, Optional, Tuple, Union

import zmq

from .errors import BadInput

#: Names the connection file where the caller does not.
ENVIRONMENT = "STICKSLIP_CONNECTION"
#: Names the folder of the service on this machine; by default it is in the user's own.
FOLDER = "STICKSLIP_SERVICE"


@dataclass(frozen=True)
class ConnectionOptions:
    """The contents of a connection file."""

    zeromq: str
    serviceKey: str
    publicKey: str
    secretKey: str
    token: str
    name: str = ""
    websocket: Optional[str] = None
    #: A socket that only processes of the service's own user and machine can reach, without encryption.
    local: Optional[str] = None


def read_connection(source: Union[None, str, "os.PathLike[str]", ConnectionOptions]) -> ConnectionOptions:
    """The options themselves, or those of a file, or of the file that the environment names, or of the user's own service."""
    if isinstance(source, ConnectionOptions):
        return source
    path = os.fspath(source) if source is not None else os.environ.get(ENVIRONMENT) or _own_service()
    if source is None and not os.path.exists(path):
        remedy = f"name the connection file, set {ENVIRONMENT} to its path, or start stickslip serve"
        raise BadInput("connection", f"is not given, and there is no {path}", remedy)
    try:
        with open(path, encoding="utf-8") as file:
            _require_private(path, os.fstat(file.fileno()))
            found = json.load(file, object_pairs_hook=_unique)
    except FileNotFoundError as error:
        raise BadInput(path, "does not exist", _REMEDY) from error
    except OSError as error:
        remedy = "stickslip serve writes one for each of its clients, readable by its owner only"
        raise BadInput(path, f"cannot be read ({error.strerror})", remedy) from error
    except ValueError as error:
        raise BadInput(path, f"is not JSON ({error})", _REMEDY) from error
    return _checked(path, found)


def _own_service() -> str:
    folder = os.environ.get(FOLDER) or os.path.join(os.path.expanduser("~"), ".stickslip", "service")
    return os.path.join(folder, "client-default.json")


def _require_private(path: str, found: os.stat_result) -> None:
    """Whoever has what is in the file is this client. A file of another user may be shared with a group, as in a pod."""
    if os.name != "posix" or not found.st_mode & (0o077 if found.st_uid == os.geteuid() else 0o007):
        return
    remedy = f"chmod 600 {path}; if others have read it, remove it and let the service write another (--client)"
    raise BadInput(path, "is accessible to other users", remedy)


_REMEDY = "give the connection file that stickslip serve has written"


def _unique(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    """An object of JSON, unless a key is given twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f'"{next(key for key in keys if keys.count(key) > 1)}" is given twice')
    return found


def _checked(path: str, found: Any) -> ConnectionOptions:
    if not isinstance(found, dict):
        raise BadInput(path, "is not an object", _REMEDY)
    for field in fields(ConnectionOptions):
        value = found.get(field.name, "" if field.default is not MISSING else None)
        if not isinstance(value, str):
            raise BadInput(f"{path}: {field.name}", "is missing" if value is None else "is not a text", _REMEDY)
    return ConnectionOptions(**{field.name: found[field.name] for field in fields(ConnectionOptions) if field.name in found})


def is_local(options: ConnectionOptions) -> bool:
    """Whether somebody listens at the socket of this machine."""
    if options.local is None or not hasattr(socket, "AF_UNIX"):
        return False
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(options.local[len("ipc://") :])
        except OSError:
            return False
    return True


def open_socket(context: "zmq.Context[Any]", options: ConnectionOptions, local: bool) -> "zmq.Socket[Any]":
    """A socket that connects by itself, as often as it has to."""
    dealer: zmq.Socket[Any] = context.socket(zmq.DEALER)
    try:
        if not local:
            dealer.curve_serverkey = options.serviceKey.encode("ascii")
            dealer.curve_publickey = options.publicKey.encode("ascii")
            dealer.curve_secretkey = options.secretKey.encode("ascii")
        # The service sees within a second that a client is gone, and the client connects again.
        dealer.setsockopt(zmq.HEARTBEAT_IVL, 1000)
        dealer.setsockopt(zmq.HEARTBEAT_TIMEOUT, 10_000)
        dealer.setsockopt(zmq.RECONNECT_IVL, 50)
        dealer.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
        dealer.setsockopt(zmq.LINGER, 0)
        # What is under way is limited by the service.
        dealer.setsockopt(zmq.SNDHWM, 0)
        dealer.setsockopt(zmq.RCVHWM, 0)
        dealer.setsockopt(zmq.IPV6, 1)
        dealer.connect(options.local if local and options.local else options.zeromq)
    except (zmq.ZMQError, ValueError) as error:
        dealer.close(0)
        raise BadInput("connection", f"the address {options.zeromq} or a key cannot be used ({error})", _REMEDY) from error
    return dealer
