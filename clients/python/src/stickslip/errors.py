"""What can go wrong, by code: what the service says, and what the client finds before it sends anything."""

from __future__ import annotations

from typing import Dict, Type


class Error(Exception):
    """Something is wrong: ``field`` names it, ``problem`` says what it is, ``remedy`` what to do."""

    code = "internal"

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        super().__init__(field, problem, remedy)
        self.field = field
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        return f"{where}{self.problem}; {self.remedy}" if self.remedy else f"{where}{self.problem}"


class BadInput(Error, ValueError):
    """The problem or an option makes no sense."""

    code = "bad-input"


class BadMessage(Error):
    """Something that is no message of the protocol was received, by the service or from it."""

    code = "bad-message"


class UnsupportedVersion(Error):
    """The service speaks other versions of the protocol."""

    code = "unsupported-version"


class Unauthorized(Error):
    """The service does not know the token or the key of the connection file."""

    code = "unauthorized"


class UnknownPattern(Error, LookupError):
    """There is no prepared pattern of this name, or no longer: the service may have been started again."""

    code = "unknown-pattern"


class OtherPattern(Error, ValueError):
    """The arrays do not fit the prepared pattern."""

    code = "other-pattern"


class TooLarge(Error):
    """Over the limit on the bytes of a message, or on what a client may have under way."""

    code = "too-large"


class TooMany(Error):
    """Over the limit on requests under way, or on patterns."""

    code = "too-many"


class DeadlineExceeded(Error, TimeoutError):
    """The request was not begun within its deadline."""

    code = "deadline"


class Cancelled(Error):
    """The request was cancelled before it had begun."""

    code = "cancelled"


class Incomplete(Error):
    """The other parts of the problem did not come in time, or do not fit together."""

    code = "incomplete"


class RankLost(Error):
    """The ranks that worked on the request were lost, twice."""

    code = "rank-lost"


class UnknownRequest(Error, LookupError):
    """There is no request of this id, or its answer is no longer kept."""

    code = "unknown-request"


class Draining(Error):
    """The service takes no more requests."""

    code = "draining"


class InternalError(Error):
    """A bug in the service."""

    code = "internal"


class ConnectionLost(Error, ConnectionError):
    """The service does not answer, or the client is closed."""

    code = "connection-lost"


class Timeout(Error, TimeoutError):
    """The answer was not there within the caller's timeout."""

    code = "timeout"


_OF_SERVICE = (
    BadInput,
    BadMessage,
    UnsupportedVersion,
    Unauthorized,
    UnknownPattern,
    OtherPattern,
    TooLarge,
    TooMany,
    DeadlineExceeded,
    Cancelled,
    Incomplete,
    RankLost,
    UnknownRequest,
    Draining,
    InternalError,
)
_BY_CODE: Dict[str, Type[Error]] = {each.code: each for each in _OF_SERVICE}


def error_of(head: Dict[str, object]) -> Error:
    """The error that an ``error`` message of the service is."""
    code, field, problem, remedy = (str(head.get(name, "")) for name in ("code", "field", "message", "remedy"))
    found = _BY_CODE.get(code)
    if found is not None:
        return found(field, problem, remedy)
    error = Error(field, problem, remedy)
    error.code = code
    return error
