"""Blocks of random work over threads, each with its own seed, so that no answer depends on how many there are."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

Block = TypeVar("Block")


def in_threads(
    block: Callable[[np.random.SeedSequence, int], Block],
    seeds: list[np.random.SeedSequence],
    sizes: list[int],
    *,
    threads: int,
) -> Iterator[Block]:
    """Yield the blocks in order. Interrupted, as by a job's time-out, it begins no further block."""
    if threads == 1:
        yield from map(block, seeds, sizes)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(block, seeds, sizes)
    finally:
        pool.shutdown(cancel_futures=True)
