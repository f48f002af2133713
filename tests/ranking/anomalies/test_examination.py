"""All voters at once are examined as each alone would be, and nonsense is refused."""

from dataclasses import fields, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ranking.anomalies import examination, examine_voters, fit_reference
from tests.ranking.anomalies.voting import hall, together, voters_of


def test_blocks_change_nothing(
    generator: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many voters fit in memory at once must not show in what is said of them."""
    honest_hall = hall(generator)
    conducts = ["honest", "random", "always left", "target when seen"]
    parts = [honest_hall.vote(conduct, 30) for conduct in conducts for _ in range(10)]
    votes, reference = voters_of(parts), fit_reference(together(*parts))

    whole = examine_voters(votes, reference)
    monkeypatch.setattr(examination, "VOTES_AT_ONCE", 100)
    in_blocks = examine_voters(votes, reference)

    for part in ("battery", "evidence"):
        one, other = getattr(whole, part), getattr(in_blocks, part)
        for each in fields(one):
            assert_allclose(getattr(one, each.name), getattr(other, each.name), atol=1e-9)


def test_bots_among_many_are_discovered_and_honest_voters_are_not(
    generator: np.random.Generator,
) -> None:
    """300 honest voters and 15 who always vote left, on the board that they all make."""
    honest_hall = hall(generator)
    parts = [honest_hall.vote("honest", 60) for _ in range(300)]
    parts += [honest_hall.vote("always left", 60) for _ in range(15)]

    found = examine_voters(voters_of(parts), fit_reference(together(*parts)))

    assert found.suspected[300:].all()
    assert found.discovered[300:].all()
    assert found.suspected[:300].mean() <= 0.02
    assert not found.discovered[:300].any()


def test_seats_exchanged_exchange_left_and_right(generator: np.random.Generator) -> None:
    """The same votes with every pair shown the other way round say the same of every voter."""
    honest_hall = hall(generator)
    parts = [honest_hall.vote("honest", 40) for _ in range(50)]
    parts += [honest_hall.vote("90 % left", 40)]
    mirrored = [part.mirrored() for part in parts]

    one = examine_voters(voters_of(parts), fit_reference(together(*parts)))
    other = examine_voters(voters_of(mirrored), fit_reference(together(*mirrored)))

    assert_allclose(one.battery.p_values, other.battery.p_values, rtol=1e-6)
    assert_allclose(one.evidence.log_peak, other.evidence.log_peak, atol=1e-6)


def test_another_number_of_models_is_refused(generator: np.random.Generator) -> None:
    """Models are numbers here: another board's numbers are other models."""
    battles = hall(generator).vote("honest", 2000)
    votes = replace(voters_of([battles]), n_models=21)

    with pytest.raises(ValueError, match="over 21 models, the reference over 20"):
        examine_voters(votes, fit_reference(battles))


def test_a_level_that_is_no_chance_is_refused(generator: np.random.Generator) -> None:
    """A level of 0 suspects nobody ever, one of 1 everybody."""
    battles = hall(generator).vote("honest", 2000)

    with pytest.raises(ValueError, match="between 0 and 1"):
        examine_voters(voters_of([battles]), fit_reference(battles), level=0.0)
