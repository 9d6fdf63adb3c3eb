"""Client of the Stickslip service: frictional contact problems from NumPy and SciPy.

    import stickslip

    with stickslip.connect("connection.json") as client:
        answer = client.solve(W, q, mu)

W is a block matrix (scipy.sparse BSR with blocks of 3 x 3), or bodies, or the global form; q has three numbers per
contact in the order N, T1, T2, and mu has one. An answer has ``reaction``, ``velocity`` and ``report``. Bad input
and what the service refuses are subclasses of ``Error``, with a code, the field and the remedy.
"""

from . import siconos
from .answer import Answer, hash_of
from .client import Client, connect
from .connection import ConnectionOptions
from .errors import (
    BadInput,
    BadMessage,
    Cancelled,
    ConnectionLost,
    DeadlineExceeded,
    Draining,
    Error,
    Incomplete,
    InternalError,
    OtherPattern,
    RankLost,
    Timeout,
    TooLarge,
    TooMany,
    Unauthorized,
    UnknownPattern,
    UnknownRequest,
    UnsupportedVersion,
)
from .options import Progress, SolveOptions
from .pattern import Pattern
from .problem import LAWS, Equalities, GlobalForm, Laws, Part, RigidContacts
from .request import Request
from .version import __version__

__all__ = [
    "Answer",
    "BadInput",
    "BadMessage",
    "Cancelled",
    "Client",
    "ConnectionLost",
    "ConnectionOptions",
    "DeadlineExceeded",
    "Draining",
    "Equalities",
    "Error",
    "GlobalForm",
    "Incomplete",
    "InternalError",
    "LAWS",
    "Laws",
    "OtherPattern",
    "Part",
    "Pattern",
    "Progress",
    "RankLost",
    "Request",
    "RigidContacts",
    "SolveOptions",
    "Timeout",
    "TooLarge",
    "TooMany",
    "Unauthorized",
    "UnknownPattern",
    "UnknownRequest",
    "UnsupportedVersion",
    "__version__",
    "connect",
    "hash_of",
    "siconos",
]
