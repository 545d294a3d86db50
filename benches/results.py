#!/usr/bin/env python3
"""Writes RESULTS.md from what a comparison of whole runs measured.

    results.py RUN.json EDAPPLY > benches/RESULTS.md

RUN.json maps workloads to contenders to {verdict, cpu (s), wall (s), peak (KiB)}, start-up to {cpu_ms, wall_ms}
and growth to the same by size. EDAPPLY is the program that was measured: an installed one (`cargo install --path .`,
or a copy), as users have it and as the other programs are. What a linker has just written lies in memory by single
pages, and starts a quarter slower until it is read from the disk.
"""
import datetime
import json
import os
import platform
import subprocess
import sys

WHAT = {
    "W1": "one hunk, one file of 200 lines",
    "W2": "2,000 files, 3 hunks each",
    "W3": "200,000 lines, 2,000 hunks, one offset",
    "W4": "the same, random line numbers",
    "W5": "repetitive lines, two wrong context lines a hunk",
    "W6": "30 misses in 100,000 lines",
    "W7": "60 MB of patch, all new files",
    "W8": "git binary patch of 5 MB",
    "W9": "2,000 SEARCH/REPLACE blocks, 500 files",
    "W10": "a 60-line miss in 20,000 lines",
    "W11": "one edit in a line of 64 MB",
    "W12": "5,000 V4A hunks",
}
NAMES = {"floor": "copy", "gnu": "GNU patch", "git": "git apply", "edapply": "edapply", "ed-patch": "edapply patch",
         "ed-git": "edapply git-apply"}


def version(*argv):
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=10)
    except OSError:
        return f"{argv[0]}: not here"
    return done.stdout.splitlines()[0] if done.stdout else f"{argv[0]}: no version"


def memory():
    with open("/proc/meminfo", encoding="ascii") as lines:
        return round(int(next(lines).split()[1]) / (1 << 20))


def cell(row, key="cpu"):
    if row is None:
        return "–"
    return number(row[key]) if row["verdict"] == "ok" else row["verdict"]


def number(seconds):
    return f"{seconds:.4f}" if seconds < 0.0995 else f"{seconds:.3f}"


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join(["---"] * len(head)) + " |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        run = json.load(file)
    order = ["floor", "gnu", "git", *sorted({c for rows in run["workloads"].values() for c in rows} - set(NAMES)),
             "edapply", "ed-patch", "ed-git"]
    title = [NAMES.get(name, name) for name in order]
    print("# Measured\n")
    print(f"{datetime.date.today()}, {os.cpu_count()} cores, {memory()} GiB, {platform.system()} "
          f"{platform.release().split('-')[0]}; {version(sys.argv[2], '--version')}, {version('patch', '--version')}, "
          f"{version('git', '--version')}. Written by `benches/results.py`; all programs as "
          "installed.\n")
    print("## CPU seconds, median; files in memory\n")
    table(["workload", *title], [[f"{name}: {WHAT.get(name, '')}", *(cell(rows.get(c)) for c in order)]
                                 for name, rows in run["workloads"].items()])
    print("Where no is the right answer (W6, W10), a number means that it was given; elsewhere `refused` is a lost chance.\n")
    if run.get("startup"):
        print("## Start-up, one hunk\n")
        table(["program", "CPU ms, mean", "wall ms, median"],
              [[NAMES.get(c, c), f"{row['cpu_ms']:.2f}", f"{row['wall_ms']:.2f}"] for c, row in run["startup"].items()])
    if run.get("growth"):
        print("## Growth: CPU seconds at one, two and four times the size\n")
        rows = [[name, NAMES.get(c, c), *(cell(sizes.get(size, {}).get(c)) for size in ("1", "2", "4"))]
                for name, sizes in run["growth"].items() for c in order[1:]
                if any(c in rows for rows in sizes.values())]
        table(["workload", "program", "x 1", "x 2", "x 4"], rows)


if __name__ == "__main__":
    main()
