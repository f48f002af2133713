"""Which models can be rated together, and where the others stand.

A finite fit exists exactly when every model has beaten or tied every other one, directly or through others
(Ford 1957, "Solution of a ranking problem from binary comparisons"): one strongly connected group in the
graph that has an arrow from a model to each one it scored against.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from ranking.battles import Battles, Floats, Ints, tally


@dataclass(frozen=True, eq=False)
class Split:
    """The models by what can be said of them; each is in exactly one of the four.

    Parameters
    ----------
    rated : (k,) int32
        The largest strongly connected group of at least two models, in ascending order; may be empty.
    above, below : (a,), (b,) int32
        Models with a place over or under the rated ones and no finite strength.
    apart : (d,) int32
        Models that no chain of results places over or under the rest.
    height : (m,) int32
        Place among `above` (more is better, from 1) and `below` (less is worse, from -1); 0 for the rest.
        Where nothing is rated it counts the longest chain of beaten models under each.
    groups : tuple of (g,) int32
        The strongly connected groups, the rated one first, then by size, battles and smallest model.
    """

    rated: Ints
    above: Ints
    below: Ints
    apart: Ints
    height: Ints
    groups: tuple[Ints, ...]


def strong_groups(battles: Battles) -> tuple[Ints, ...]:
    """Return the strongly connected groups: the largest first, of equal ones the one with most battles.

    Battles are those of its models, whoever they met; of groups equal in that too, the one with the
    smallest model comes first.
    """
    count, label = connected_components(_arrows(battles.score_table()), connection="strong")
    fought = tally(battles.first, battles.weight, battles.n_models)
    fought += tally(battles.second, battles.weight, battles.n_models)
    groups = [np.flatnonzero(label == group).astype(np.int32) for group in range(count)]
    groups.sort(key=lambda group: (-len(group), -fought[group].sum(), group[0]))
    return tuple(groups)


def is_connected(battles: Battles) -> bool:
    """Return whether a finite fit exists for all models together."""
    return is_table_connected(battles.score_table())


def is_table_connected(scores: Floats) -> bool:
    """Return the same of an (m, m) table of scores: from any one model all are reached, and reach it."""
    return _reaches_all(scores) and _reaches_all(scores.T)


def _reaches_all(scores: Floats) -> bool:
    reached = np.zeros(len(scores), np.bool_)
    reached[:1] = True
    while not reached.all():
        further = reached | (reached @ scores > 0)
        if (further == reached).all():
            return False
        reached = further
    return True


def split(battles: Battles) -> Split:
    """Return which models can be rated, which stand over or under them, and which are apart.

    Where even the largest group is a single model, nothing is rated: then the models of the largest set
    that battles join at all keep an order. Of these a model is `above` if it stands over at least as many
    as it stands under, and `below` otherwise.
    """
    groups = strong_groups(battles)
    arrows = _arrows(battles.score_table())
    if groups and len(groups[0]) > 1:
        return _split_around(groups, arrows)
    return _split_without_group(groups, battles, arrows)


def _arrows(scores: Floats) -> csr_array:
    """Return the graph with an arrow from each model to every one it scored against."""
    return csr_array(scores > 0)


def _reached(arrows: csr_array, start: int) -> Ints:
    return breadth_first_order(arrows, start, return_predecessors=False).astype(np.int32)


def _split_around(groups: tuple[Ints, ...], arrows: csr_array) -> Split:
    """Place every model relative to the largest group."""
    rated = groups[0]
    over = np.setdiff1d(_reached(arrows.T.tocsr(), rated[0]), rated)
    under = np.setdiff1d(_reached(arrows, rated[0]), rated)
    apart = np.setdiff1d(np.arange(arrows.shape[0], dtype=np.int32), np.r_[rated, over, under])
    height = _chains(groups, arrows, over) - _chains(groups, arrows.T.tocsr(), under)
    return Split(rated, over, under, apart, height, groups)


def _split_without_group(groups: tuple[Ints, ...], battles: Battles, arrows: csr_array) -> Split:
    """Place the models of the largest joined set by the chains of results between them."""
    everyone = np.arange(battles.n_models, dtype=np.int32)
    nobody = everyone[:0]
    joined = _largest_joined(battles, arrows) if len(battles) else nobody
    back = arrows.T.tocsr()
    stands_over = np.array([len(_reached(arrows, model)) for model in joined])
    stands_under = np.array([len(_reached(back, model)) for model in joined])
    is_above = stands_over >= stands_under
    return Split(
        rated=nobody,
        above=joined[is_above],
        below=joined[~is_above],
        apart=np.setdiff1d(everyone, joined),
        height=_chains(groups, arrows, joined),
        groups=groups,
    )


def _largest_joined(battles: Battles, arrows: csr_array) -> Ints:
    """Return the models of the largest set that battles join, of equal ones the one with most battles."""
    count, label = connected_components(arrows, directed=False)
    models = np.bincount(label, minlength=count)
    fought = tally(label[battles.first], battles.weight, count)
    best = max(range(count), key=lambda part: (models[part], fought[part], -part))
    return np.flatnonzero(label == best).astype(np.int32)


def _chains(groups: tuple[Ints, ...], arrows: csr_array, models: Ints) -> Ints:
    """Return for each of `models` the longest chain of groups that arrows lead through; 0 for others.

    Where nothing is rated the last model of a chain has 0; next to the rated group a chain counts from 1.
    """
    group_of = np.empty(arrows.shape[0], np.int32)
    for number, group in enumerate(groups):
        group_of[group] = number
    chosen = np.zeros(len(groups), np.int32)
    chosen[group_of[models]] = 1
    tail, head = (group_of[ends] for ends in arrows.nonzero())
    between = (tail != head) & (chosen[tail] == 1)
    tail, head = tail[between], head[between]
    length = np.zeros(len(groups), np.int32)
    for _ in groups:
        longer = length.copy()
        np.maximum.at(longer, tail, length[head] + 1)
        if (longer == length).all():
            break
        length = longer
    return (length * chosen)[group_of]
