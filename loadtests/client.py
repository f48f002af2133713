"""A client as cheap as can be: prepared requests over kept connections, so that the server is what is measured."""

import asyncio
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

READ_BYTES = 65536


@dataclass(frozen=True)
class Outcome:
    """What a burst came to: answers a second, latencies in milliseconds, and answers by status."""

    per_second: float
    median_ms: float
    p99_ms: float
    statuses: dict[int, int]


def request_bytes(
    line: str, *, port: int, headers: dict[str, str] | None = None, body: bytes = b""
) -> bytes:
    """One request on a kept connection; `line` is its method and path."""
    lines = [f"{line} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def burst(port: int, requests: Iterable[bytes], *, connections: int) -> Outcome:
    """Send every request once, this many at a time, and measure until the last answer is here."""
    return asyncio.run(_burst(port, iter(requests), connections))


async def _burst(port: int, requests: Iterator[bytes], connections: int) -> Outcome:
    seconds: list[float] = []
    statuses: dict[int, int] = {}
    start = time.perf_counter()
    senders = [_send(port, requests, seconds, statuses) for _ in range(connections)]
    await asyncio.gather(*senders)
    whole = time.perf_counter() - start
    ordered = sorted(seconds)
    return Outcome(
        per_second=len(ordered) / whole,
        median_ms=ordered[len(ordered) // 2] * 1000,
        p99_ms=ordered[int(len(ordered) * 0.99)] * 1000,
        statuses=statuses,
    )


async def _send(
    port: int, requests: Iterator[bytes], seconds: list[float], statuses: dict[int, int]
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in requests:
        start = time.perf_counter()
        writer.write(request)
        status = await _read_status(reader)
        seconds.append(time.perf_counter() - start)
        statuses[status] = statuses.get(status, 0) + 1
    writer.close()
    await writer.wait_closed()


async def _read_status(reader: asyncio.StreamReader) -> int:
    """Read one answer to its end and return its status."""
    head = await reader.readuntil(b"\r\n\r\n")
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            await reader.readexactly(int(value))
    return int(head.split(b" ", 2)[1])
