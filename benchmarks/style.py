"""A style fit: strengths and the worth of eight features from single votes, which no count can stand for."""

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import numpy as np
from rich.console import Console
from scipy.optimize import minimize
from scipy.special import expit

from benchmarks.made_votes import make_votes
from benchmarks.sections import Section, publish
from benchmarks.timing import cpu_seconds, machine
from ranking import POINTS_PER_LOGIT, Battles, Covariates, fit, sandwich
from ranking.battles import Floats, tally

COMMAND = "python -m benchmarks style"
MODELS, VOTES, FEATURES = 129, 1_670_000, 8
TRIES, OUR_TRIES = 2, 6


def run(console: Console) -> None:
    """Measure ours in numpy and in torch, and the peers that are installed."""
    battles, covariates = _make()
    ours, found = cpu_seconds(partial(fit, battles, covariates=covariates), tries=OUR_TRIES)
    robust, _ = cpu_seconds(partial(sandwich, battles, found, covariates), tries=TRIES)
    rows: list[tuple[str, ...]] = [
        ("ours, numpy", f"{ours:.2f}", "1", ""),
        ("our covariance", f"{robust:.2f}", "", ""),
    ]
    expected = np.concatenate([found.strength, found.extra])
    for name, call in _others(battles, covariates).items():
        seconds, answer = cpu_seconds(call, tries=TRIES)
        apart = np.abs(answer - expected).max() * POINTS_PER_LOGIT
        rows.append((name, f"{seconds:.2f}", f"{seconds / ours:.1f}", f"{apart:.1g}"))
    publish(
        console,
        Section(
            "Style fit",
            f"{VOTES:,} single votes of {MODELS} models with {FEATURES} features, half ties, one thread. FastChat's method is L-BFGS with its settings; "
            "arena-rank has its penalty off and is compiled beforehand. The bar is 1 s.",
            COMMAND,
            machine("numpy", "scipy", "torch", "arena-rank"),
            ("way", "s of processor time", "ratio", "differs by, points"),
            rows,
        ),
    )


def _make() -> tuple[Battles, Covariates]:
    votes = make_votes(MODELS, VOTES, seed=20260801)
    score = np.array([1.0, 0.0, 0.5])[votes.outcome]
    first, second = votes.first.astype(np.int32), votes.second.astype(np.int32)
    values = np.random.default_rng(0).normal(size=(VOTES, FEATURES))
    names = tuple(f"feature {number}" for number in range(FEATURES))
    return Battles(first, second, score, np.ones(VOTES), MODELS), Covariates(names, values)


def _others(battles: Battles, covariates: Covariates) -> dict[str, Callable[[], Floats]]:
    others: dict[str, Callable[[], Floats]] = {}
    if find_spec("torch"):
        others["ours, torch on the processor"] = partial(_by_torch, battles, covariates)
    others["L-BFGS, FastChat's method"] = partial(_by_quasi_newton, battles, covariates.values)
    if find_spec("arena_rank"):
        others["arena-rank"] = _by_arena_rank(battles, covariates.values)
    return others


def _by_torch(battles: Battles, covariates: Covariates) -> Floats:
    import torch  # noqa: PLC0415 - it may be absent

    from ranking.torch_refit import refit  # noqa: PLC0415

    torch.set_num_threads(1)
    found = refit(battles, covariates=covariates)
    return np.concatenate([found.strength, found.extra])


def _by_quasi_newton(battles: Battles, columns: Floats) -> Floats:
    """Return strengths and coefficients by L-BFGS on the sum of losses, as FastChat's monitor finds them."""
    m = battles.n_models

    def loss(at: Floats) -> tuple[float, Floats]:
        lead = at[battles.first] - at[battles.second] + columns @ at[m:]
        surprise = battles.score - expit(lead)
        strength = tally(battles.second, surprise, m) - tally(battles.first, surprise, m)
        value = (np.logaddexp(0, lead) - battles.score * lead).sum()
        return float(value), np.concatenate([strength, -(surprise @ columns)])

    found: Floats = minimize(
        loss,
        np.zeros(m + columns.shape[1]),
        jac=True,
        method="L-BFGS-B",
        options={"gtol": 1e-6, "maxiter": 100},
    ).x
    found[:m] -= found[:m].mean()
    return found


def _by_arena_rank(battles: Battles, columns: Floats) -> Callable[[], Floats]:
    from arena_rank.models.contextual_bradley_terry import (  # noqa: PLC0415 - it may be absent
        ContextualBradleyTerry,
    )
    from arena_rank.utils.data_utils import ContextualPairDataset  # noqa: PLC0415

    m, k = battles.n_models, columns.shape[1]
    pairs = np.column_stack([battles.first, battles.second])
    dataset = ContextualPairDataset(list(range(m)), pairs, battles.score, columns, battles.weight)

    def refit() -> Floats:
        model = ContextualBradleyTerry(m, k, reg=0.0)
        model.fit(dataset)
        strength = np.asarray(model.params["ratings"])
        return np.concatenate([strength - strength.mean(), np.asarray(model.params["coeffs"])])

    refit()
    return refit
