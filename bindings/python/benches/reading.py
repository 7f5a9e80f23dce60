"""Reading: `libhcl.loads` and `libhcl.hcl2.loads` beside `hcl2.loads` of python-hcl2, in one run.

    python benches/reading.py [ROUNDS]

Contenders read each input in turn, round after round; figures are the least processor time of a contender. A release
build of the package is needed: `make wheel`, then the wheel and python-hcl2 in one environment.
"""

import importlib.metadata
import os
import platform
import subprocess
import sys
import time

import hcl2 as theirs

import libhcl
from libhcl import hcl2 as ours

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, os.path.join(HERE, "..", "tests"))
from generate import Documents  # noqa: E402

CONTENDERS = {
    "python-hcl2": theirs.loads,
    "libhcl.hcl2.loads": ours.loads,
    "libhcl.loads": libhcl.loads,
}


def files_of_the_tree():
    """The files of the tree that all contenders read."""
    listed = subprocess.run(["git", "ls-files", "-z", "*.tf", "*.hcl"], cwd=TREE, stdout=subprocess.PIPE, check=True).stdout
    texts = []
    for name in listed.decode().split("\0"):
        if name:
            with open(os.path.join(TREE, name), encoding="utf-8", errors="replace") as opened:
                texts.append(opened.read())
    return [text for text in texts if all(reads(loads, text) for loads in CONTENDERS.values())]


def reads(loads, text):
    try:
        loads(text)
    except Exception:
        return False
    return True


def generated(size):
    """One document of about so many bytes, made of parts that all contenders read."""
    made = Documents(1)
    text = ""
    while len(text) < size:
        part = f"part {{\n{made.document()}}}\n"
        if all(reads(loads, part) for loads in CONTENDERS.values()):
            text += part
    return text


def least(contenders, texts, rounds):
    """The least processor time of each contender, in seconds."""
    times = {name: float("inf") for name in contenders}
    for _ in range(rounds):
        for name, loads in contenders.items():
            start = time.process_time()
            for text in texts:
                loads(text)
            times[name] = min(times[name], time.process_time() - start)
    return times


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    inputs = {
        "one block": ['server "web" {\n  port = 80\n  host = "${var.name}.example"\n  tags = ["a", "b"]\n}\n'],
        "files of the tree": files_of_the_tree(),
        "generated, 10 KB": [generated(10_000)],
        "generated, 100 KB": [generated(100_000)],
    }
    print(f"Python {platform.python_version()}, libhcl {libhcl.__version__}, python-hcl2 {importlib.metadata.version('python-hcl2')}\n")
    print("| input | bytes | python-hcl2, KB/s | libhcl.hcl2.loads, MB/s | libhcl.loads, MB/s | python-hcl2 to libhcl.hcl2 | python-hcl2 to libhcl |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    worst = float("inf")
    for name, texts in inputs.items():
        size = sum(len(text.encode()) for text in texts)
        # Each contender reads 200 KB at a time: after the reading of another one the processor has nothing of it at hand, and a clock of
        # processor time counts in microseconds.
        repeated = texts * max(1, 200_000 // size)
        times = least(CONTENDERS, repeated, rounds)
        per_byte = {contender: seconds / len(repeated) * len(texts) / size for contender, seconds in times.items()}
        slow, dropped_in, fast = per_byte.values()
        worst = min(worst, slow / dropped_in, slow / fast)
        print(
            f"| {name} | {size} | {1e-3 / slow:.1f} | {1e-6 / dropped_in:.1f} | {1e-6 / fast:.1f}"
            f" | {slow / dropped_in:.0f}x | {slow / fast:.0f}x |"
        )
    return 0 if worst >= 200 else f"libhcl is only {worst:.0f} times as fast somewhere"


if __name__ == "__main__":
    sys.exit(main())
