"""Battles that most claims are tried on."""

import numpy as np
import pytest

from ranking import Battles
from tests.ranking.davidson import draw_battles


@pytest.fixture
def generator() -> np.random.Generator:
    return np.random.default_rng(20260801)


@pytest.fixture
def battles(generator: np.random.Generator) -> Battles:
    """3000 battles of eight models, a third of them ties, one model met much more often than another."""
    strength = np.linspace(-1.2, 1.2, 8)
    share = np.arange(1.0, 9.0) / 36
    return draw_battles(strength, 3000, generator, share=share)
