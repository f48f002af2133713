"""How many items each HELM statistic is over: from its own file where that says so, else counted one by one."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from arena.formats.helm_names import Items, read_name
from arena.formats.rows import Row, Values, open_rows
from arena.hygiene import RefusedError, read_integer

SIZE = "num_instances"
Sizes = Mapping[tuple[str, Items], int]


def count_items(path: Path) -> Sizes:
    """Return how many items have each metric, from a file with a row an item; never how many trials."""
    seen: dict[tuple[str, Items], set[object]] = defaultdict(set)
    with open_rows(path) as rows:
        for row in rows.each:
            if isinstance(row, Row):
                for key in _counted(row.values):
                    seen[key].add(str(row.values.get("instance_id")))
    return {key: len(items) for key, items in seen.items()}


def _counted(values: Values) -> list[tuple[str, Items]]:
    """Return the metrics that a row has a value of, and over which items."""
    stats = values.get("stats")
    keys = []
    for stat in stats if isinstance(stats, list) else ():
        try:
            name = read_name({"perturbation": values.get("perturbation"), **stat["name"]})
            if read_integer(stat["count"]) > 0:
                keys.append((name.metric, name.items))
        except (RefusedError, KeyError, TypeError):
            continue
    return keys
