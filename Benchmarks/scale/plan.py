"""What 1,000 splits would take: split times that were measured here, and a scheduler that is simulated.

Tasks go to the next free core in their order, as Spark's do. Each attempt takes a time drawn from the measured ones, for the split's
size, and the overhead of a task. An attempt that fails does so at a random moment of its run; the task is then run again, after those
that wait. Nothing here is measured but the times that come in; the same seed gives the same table.
"""

import heapq
import random
from typing import Sequence


def makespan(sizes: Sequence[float], cores: int, rates: Sequence[float], overhead: float, failures: float, source: random.Random) -> float:
    """The seconds until the last of all splits is done. `rates` are measured seconds for each megabyte."""
    free = [0.0] * cores
    waiting = list(sizes)
    place, end = 0, 0.0
    while place < len(waiting):
        size = waiting[place]
        place += 1
        now = heapq.heappop(free)
        duration = overhead + size * source.choice(rates)
        if source.random() < failures:
            duration *= source.random()
            waiting.append(size)
        heapq.heappush(free, now + duration)
        end = max(end, now + duration)
    return end


def table(rates: Sequence[float], overhead: float, splits: int = 1000, size: float = 128.0, seed: int = 1) -> str:
    """Makespans of plans, as a table of Markdown. Each is the median of 20 runs."""
    plans = [
        ("even splits", [size] * splits, 0.0),
        ("one task in a hundred fails", [size] * splits, 0.01),
        ("one task in ten fails", [size] * splits, 0.1),
        ("one compressed file of 20 splits at the end", [size] * (splits - 20) + [size * 20], 0.0),
        ("the same file at the beginning", [size * 20] + [size] * (splits - 20), 0.0),
        ("splits of four times the size", [size * 4] * (splits // 4), 0.0),
    ]
    cores = [2, 16, 64, 256]
    average = sum(rates) / len(rates)
    lines = [
        "| plan | " + " | ".join(f"{count} cores" for count in cores) + " |",
        "|---|" + "---|" * len(cores),
        "| nothing lost | " + " | ".join(f"{splits * size * average / count:.1f} s" for count in cores) + " |",
    ]
    for name, sizes, failures in plans:
        cells = []
        for count in cores:
            runs = sorted(makespan(sizes, count, rates, overhead, failures, random.Random(seed + run)) for run in range(20))
            cells.append(f"{runs[10]:.1f} s")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
