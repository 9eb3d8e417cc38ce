"""A patient for every test."""

import os
from pathlib import Path

import pytest

from doctor_patient import Patient


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    if os.name == "nt":
        pytest.skip("stand-ins are shell scripts here")
    return Patient.healthy(tmp_path)
