"""What a solve ends in. An outcome is data: only bad input and a service that cannot answer raise."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

import numpy as np
import numpy.typing as npt

from .wire import Array


@dataclass(frozen=True)
class Answer:
    """The arrays have the shape that q had: three numbers per contact, in the order N, T1, T2."""

    #: Of the request, as ``Client.fetch`` takes it.
    id: str
    reaction: npt.NDArray[np.float64]
    velocity: npt.NDArray[np.float64]
    #: Of the equality rows; empty without them.
    multiplier: npt.NDArray[np.float64]
    #: As ``stickslip solve --json`` prints it: ``stickslip help report``.
    report: Dict[str, Any]

    @property
    def status(self) -> str:
        """solved, stalled, iteration-limit, time-limit, diverged, infeasible or cancelled."""
        return str(self.report["status"])

    @property
    def warnings(self) -> List[str]:
        """Codes of doubts about the answer: existence-not-guaranteed, energy-error. Their texts are in ``report["warnings"]``."""
        return [str(warning["code"]) for warning in self.report.get("warnings", [])]

    @property
    def solved(self) -> bool:
        return self.status == "solved"

    @property
    def hash(self) -> str:
        """SHA-256 of the reaction of the whole problem, as the service took it: ``hash_of(answer.reaction)``."""
        return str(self.report["hash"])


def hash_of(reaction: Array) -> str:
    """SHA-256 of the numbers as little-endian doubles, +0 and -0 alike: that of a report."""
    return hashlib.sha256((np.ascontiguousarray(reaction, "<f8") + 0.0).data).hexdigest()


def answer_of(id: str, report: Dict[str, Any], arrays: Dict[str, Array], shape: Optional[tuple[int, ...]]) -> Answer:
    """The answer that a ``result`` message is."""
    reaction, velocity = arrays["reaction"], arrays["velocity"]
    if shape is not None and len(shape) == 2:
        reaction, velocity = reaction.reshape(-1, 3), velocity.reshape(-1, 3)
    multiplier = arrays.get("multiplier", np.empty(0))
    return Answer(id, reaction, velocity, multiplier, report)
