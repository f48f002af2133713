"""The fit through torch finds what the fit through numpy finds."""

import importlib.util
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking import Battles, Covariates, NotConnectedError, NotIdentifiedError, TieModel, fit
from tests.ranking.davidson import draw_rows

if importlib.util.find_spec("torch") is None:
    pytest.skip(
        "torch is not installed (pip install 'holistic-arena[torch]')", allow_module_level=True
    )

with warnings.catch_warnings():
    # What torch warns of while it is loaded is no business of ours.
    warnings.simplefilter("ignore")
    import torch

from ranking.torch_refit import refit

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


@pytest.fixture
def rows(generator: np.random.Generator) -> Battles:
    """2000 battles, one row each, of seven models."""
    return draw_rows(np.linspace(-1, 1, 7), 2000, generator, share=np.full(7, 1 / 7))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("ties", list(TieModel))
@pytest.mark.parametrize("position", [False, True])
@pytest.mark.parametrize("n_columns", [0, 3])
def test_both_paths_agree(
    *,
    n_columns: int,
    position: bool,
    ties: TieModel,
    device: str,
    rows: Battles,
    generator: np.random.Generator,
) -> None:
    """To 1e-8, with derivatives that torch found by itself: a board must not hang on what computed it."""
    columns = generator.normal(size=(len(rows), n_columns))
    covariates = Covariates(tuple("abc"[:n_columns]), columns) if n_columns else None
    expected = fit(rows, ties=ties, position=position, covariates=covariates)

    found = refit(rows, ties=ties, position=position, covariates=covariates, device=device)

    assert found.extra_names == expected.extra_names
    assert_allclose(found.strength, expected.strength, atol=1e-8)
    assert_allclose(found.extra, expected.extra, atol=1e-8)
    assert_allclose(found.curvature, expected.curvature, rtol=1e-8, atol=1e-6)


def test_both_paths_agree_on_many_rows(generator: np.random.Generator) -> None:
    """Many rows begin at a rough fit of some; merged rows carry weights other than one."""
    rows = draw_rows(np.linspace(-1, 1, 9), 150_000, generator, share=np.full(9, 1 / 9))
    weighted = Battles(
        rows.first,
        rows.second,
        rows.score,
        generator.integers(1, 9, len(rows)).astype(np.float64),
        9,
    )
    covariates = Covariates(("length",), generator.normal(size=(len(rows), 1)))
    expected = fit(weighted, ties=TieModel.DAVIDSON, covariates=covariates)

    found = refit(weighted, ties=TieModel.DAVIDSON, covariates=covariates)

    assert_allclose(found.strength, expected.strength, atol=1e-8)
    assert_allclose(found.extra, expected.extra, atol=1e-8)


def test_what_has_no_fit_is_refused_alike(rows: Battles) -> None:
    """The other path is no way around a refusal."""
    islands = Battles(np.array([0, 2]), np.array([1, 3]), np.full(2, 0.5), np.ones(2), 4)
    constant = Covariates(("nothing",), np.zeros((len(rows), 1)))

    with pytest.raises(NotConnectedError):
        refit(islands)
    with pytest.raises(NotIdentifiedError, match="nothing"):
        refit(rows, covariates=constant)
