"""The options of a solve, and how they go into the head of a message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, TypedDict, Union

from .errors import BadInput

if TYPE_CHECKING:
    from .problem import Laws, Part, Vector


@dataclass(frozen=True)
class Progress:
    """What is known of a solve while it runs."""

    iterations: int
    products: int
    #: In the measure of the tolerance.
    error: float
    #: Whether the error was taken, or estimated.
    exact: bool
    seconds: float
    method: str


class SolveOptions(TypedDict, total=False):
    """The options of ``solve`` and ``submit``, all of them optional. What is None is left out."""

    #: auto, or a name that ``stickslip methods`` lists.
    method: Optional[str]
    tolerance: Optional[float]
    #: energy, natural or merit.
    measure: Optional[str]
    max_iterations: Optional[float]
    #: Seconds of the solve; the best iterate so far is the answer when they are over.
    time_limit: Optional[float]
    #: drop: start from zero where a start is worse.
    worse_start: Optional[str]
    #: Have one number per iteration in the report.
    history: Optional[bool]
    #: Options of the method by the names in its paper.
    set: Optional[Mapping[str, Union[str, float]]]
    #: A reaction to start from.
    start: Optional[Vector]
    #: Seconds from arrival at the service.
    deadline: Optional[float]
    #: The request goes on where the connection is lost; ``Client.fetch`` has its answer.
    keep: Optional[bool]
    #: One whole number per contact that stays the same from solve to solve, to start from what was last found for it.
    keys: Optional[Vector]
    #: The name of the solves that the keys belong to.
    series: Optional[str]
    #: Called about every 50 ms, while the caller waits for the answer.
    progress: Optional[Callable[[Progress], None]]
    #: Of the problem, for reports and messages.
    name: Optional[str]
    #: Where the contacts are, three numbers each: from 65,537 contacts on they are swept by it. Not of parts and patterns, which have their own.
    point: Optional[Vector]
    #: The laws of contacts, where they are not Coulomb's. With a part those of its contacts, in all parts or in none. Not of patterns.
    laws: Optional[Laws]
    #: The rows of this client, where several bring their own.
    part: Optional[Part]


#: Options of the solver, with their names in messages.
_SOLVER: Mapping[str, str] = {
    "method": "method",
    "tolerance": "tolerance",
    "measure": "measure",
    "max_iterations": "maxIterations",
    "time_limit": "timeLimit",
    "worse_start": "worseStart",
    "history": "history",
    "set": "set",
}
_REQUEST = ("start", "deadline", "keep", "keys", "series", "progress", "name", "point", "laws", "part")


def head_of_options(options: Mapping[str, Any]) -> Dict[str, Any]:
    """The fields of a ``solve`` message that are not arrays."""
    for name in options:
        if name not in _SOLVER and name not in _REQUEST:
            raise BadInput(name, "is not an option", f"use one of {', '.join([*_SOLVER, *_REQUEST])}; those of a method go in set")
    given = {name: value for name, value in options.items() if value is not None}
    solver = {_SOLVER[name]: _plain(name, value) for name, value in given.items() if name in _SOLVER}
    deadline = given.get("deadline")
    if deadline is not None and not deadline >= 0:
        raise BadInput("deadline", f"is {deadline}", "give seconds from now, zero or more")
    if "series" in given and "keys" not in given:
        raise BadInput("keys", "is missing", "give one number per contact with the name of their series, or neither")
    return {
        "name": given.get("name"),
        "options": solver or None,
        "progress": True if "progress" in given else None,
        "keep": True if given.get("keep") else None,
        "deadline": None if deadline is None else float(deadline),
        "series": given.get("series", "default") if "keys" in given else None,
    }


def _plain(name: str, value: Any) -> Any:
    """As MessagePack can carry it: numbers of NumPy are none of its own."""
    if isinstance(value, Mapping):
        return {str(key): _plain(name, each) for key, each in value.items()}
    if isinstance(value, (str, bool, int, float)):
        return value
    item = getattr(value, "item", None)
    if item is None:
        raise BadInput(name, f"is of the type {type(value).__name__}", "give a number or a text")
    return item()
