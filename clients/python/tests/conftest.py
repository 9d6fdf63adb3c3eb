"""The services that tests speak to."""

from __future__ import annotations

import os
from typing import Iterator

import pytest

import stickslip
from fake_service import FakeService


@pytest.fixture
def fake() -> Iterator[FakeService]:
    service = FakeService()
    yield service
    service.close()


@pytest.fixture
def client(fake: FakeService) -> Iterator[stickslip.Client]:
    with stickslip.connect(fake.options) as client:
        yield client


@pytest.fixture
def service() -> str:
    """The connection file of a real service."""
    path = os.environ.get("STICKSLIP_CONNECTION", "")
    if path == "":
        pytest.skip("needs a service: STICKSLIP_CONNECTION names its connection file")
    return path
