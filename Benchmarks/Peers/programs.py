"""The coordinates of kostya/benchmarks: makes the file, runs whole programs that print the mean of its points, and prints a table.

programs.py FOLDER OBJECTS ROUNDS COORDINATES PEERS: COORDINATES is our program, PEERS the folder of those of build-cxx.
"""

import math
import os
import pathlib
import random
import statistics
import sys

from timed import Timer

PYTHON = """
import json, sys
points = json.load(open(sys.argv[1]))["coordinates"]
print(*(sum(point[axis] for point in points) / len(points) for axis in "xyz"))
"""


def generate(path, objects):
    """Objects as the benchmark's own generator makes them, indented, from random numbers that are the same in each run."""
    numbers = random.Random(1)
    with open(path, "w") as file:
        file.write('{\n  "coordinates": [\n')
        for index in range(objects):
            name = "".join(numbers.sample("abcdefghijklmnopqrstuvwxyz", 6)) + f" {numbers.randrange(10_000)}"
            x, y, z = numbers.random() * -10e-30, numbers.random() * 10e30, numbers.random()
            file.write(f'    {{\n      "x": {x!r},\n      "y": {y!r},\n      "z": {z!r},\n      "name": "{name}",\n'
                       '      "opts": {\n        "1": [\n          1,\n          true\n        ]\n      }\n'
                       f'    }}{"," if index + 1 < objects else ""}\n')
        file.write('  ],\n  "info": "some info"\n}')


def main():
    folder, objects, rounds, own, peers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], pathlib.Path(sys.argv[5])
    path = os.path.join(folder, "coordinates.json")
    generate(path, objects)
    programs = {"Sluice, a feed of points": [own, "feed"], "Sluice, all points": [own, "whole"], "Foundation": [own, "foundation"]}
    for name, how in [("glaze", "all points"), ("simdjson", "on-demand"), ("yyjson", "its tree")]:
        program = peers / f"{name}-peer"
        if program.exists():
            programs[f"{name}, {how}"] = [program, "coordinates"]
        else:
            print(f"SKIPPED: {name}: not built (SLUICE_PEERS=/path/{name} Benchmarks/Peers/build-cxx)", file=sys.stderr)
    programs["Python's json"] = [sys.executable, "-c", PYTHON]
    timer, samples, means = Timer(folder), {name: [] for name in programs}, {}
    for _ in range(rounds):
        for name, command in programs.items():
            process, sample = timer.run([*command, path])
            if process.returncode != 0:
                sys.exit(f"{name} ended with {process.returncode}: {process.stderr}")
            means[name] = [float(number) for number in process.stdout.split()]
            samples[name].append(sample)
    for name, mean in means.items():
        if len(mean) != 3 or not all(math.isclose(one, other, rel_tol=1e-12) for one, other in zip(mean, means["Foundation"])):
            sys.exit(f"{name} has another mean: {mean} instead of {means['Foundation']}")
    print(f"# The mean of {objects:,} coordinates, {os.path.getsize(path) / 1e6:.1f} MB, by whole programs, {rounds} rounds\n")
    print("Medians. All programs print the same mean.\n")
    print("| program | s elapsed | s of processor time | MiB at most |\n|---|---:|---:|---:|")
    medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in samples.items()}
    for name, (elapsed, processor, memory) in sorted(medians.items(), key=lambda item: item[1][1]):
        print(f"| {name} | {elapsed:.3f} | {processor:.3f} | {memory:.1f} |")


main()
