"""Holds `libhcl.hcl2` against python-hcl2: on all files of the tree that both read, and on generated documents.

    python tests/compare_hcl2.py [COUNT [SEED]]
"""

import contextlib
import os
import subprocess
import sys
import time
import warnings

import hcl2 as theirs

from libhcl import HclError, hcl2 as ours

sys.path.insert(0, os.path.dirname(__file__))
from generate import Documents  # noqa: E402

TREE = os.path.join(os.path.dirname(__file__), "..", "..", "..")
OPTIONS = [
    {},
    {"strip_string_quotes": True},
    {"preserve_heredocs": False},
    {"strip_string_quotes": True, "preserve_heredocs": False},
    {"wrap_objects": True, "wrap_tuples": True},
    {"force_operation_parentheses": True},
    {"with_comments": False, "explicit_blocks": False, "preserve_scientific_notation": False},
]


def documents_of_the_tree():
    """Texts with names: files, and the inputs of case documents."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=TREE, stdout=subprocess.PIPE, check=True).stdout
    for name in listed.decode().split("\0"):
        path = os.path.join(TREE, name)
        if not name.endswith((".hcl", ".tf", ".tfvars", ".nomad", ".md")) or not os.path.isfile(path):
            continue
        try:
            with open(path, encoding="utf-8") as opened:
                text = opened.read()
        except UnicodeDecodeError:
            continue
        if not name.endswith(".md"):
            yield name, text
            continue
        for at, fence in enumerate(text.split("```hcl\n")[1:]):
            yield f"{name}#{at}", fence.split("```")[0]


def types_too(one, other):
    """Equal values of equal types."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(types_too(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(types_too, one, other))
    return one == other


def difference(one, other, path=""):
    """The first place where two results differ."""
    if type(one) is type(other) and isinstance(one, dict):
        for key in list(one) + [key for key in other if key not in one]:
            if key not in one or key not in other:
                return f"{path}[{key!r}] is only in one"
            if not types_too(one[key], other[key]):
                return difference(one[key], other[key], f"{path}[{key!r}]")
    if type(one) is type(other) and isinstance(one, list) and len(one) == len(other):
        for at, (left, right) in enumerate(zip(one, other)):
            if not types_too(left, right):
                return difference(left, right, f"{path}[{at}]")
    return f"{path}\n  theirs {str(one)[:600]!r}\n  ours   {str(other)[:600]!r}"


def compare(documents, show=5):
    """Compares under all options; gives (compared, equal, refused by one, seconds of theirs, of ours, bytes)."""
    compared = equal = refused = size = 0
    their_time = our_time = 0.0
    for name, text in documents:
        for chosen in OPTIONS:
            start = time.perf_counter()
            try:
                expected = theirs.loads(text, serialization_options=theirs.SerializationOptions(**chosen))
            except Exception:
                refused += 1
                break
            middle = time.perf_counter()
            try:
                got = ours.loads(text, serialization_options=ours.SerializationOptions(**chosen))
            except HclError:
                refused += 1
                break
            end = time.perf_counter()
            if not chosen:
                their_time += middle - start
                our_time += end - middle
                size += len(text.encode())
            compared += 1
            if types_too(expected, got):
                equal += 1
            elif show:
                show -= 1
                print(f"--- {name} {chosen} {difference(expected, got)}")
    return compared, equal, refused, their_time, our_time, size


def compare_dumps(dicts, show=3):
    """Compares the texts that `dumps` makes of dicts; those of python-hcl2 that are no HCL, or none, are left out."""
    compared = equal = refused = 0
    for name, data in dicts:
        try:
            expected = theirs.dumps(data)
        except Exception:
            refused += 1
            continue
        try:
            got = ours.dumps(data)
        except HclError as error:
            got = str(error)
        if got != expected:
            try:
                ours.loads(expected)
            except HclError:
                refused += 1
                continue
        compared += 1
        if got == expected:
            equal += 1
        elif show:
            show -= 1
            lines = zip(expected.split("\n"), got.split("\n"))
            line = next((pair for pair in lines if pair[0] != pair[1]), ("", "the end"))
            print(f"--- {name} dumps\n  theirs {line[0][:600]!r}\n  ours   {line[1][:600]!r}")
    return compared, equal, refused, 0.0, 0.0, 0


def dicts_of(documents):
    """The dicts of documents that python-hcl2 reads."""
    for name, text in documents:
        with contextlib.suppress(Exception):
            yield name, theirs.loads(text)


def report(title, result):
    compared, equal, refused, their_time, our_time, size = result
    share = 100 * equal / max(compared, 1)
    print(f"{title}: {equal} of {compared} results equal ({share:.2f} %), {refused} documents refused by one of the two")
    if our_time:
        print(f"    {size} bytes: python-hcl2 {their_time:.2f} s, libhcl.hcl2 {our_time:.4f} s, {their_time / our_time:.0f} times as fast")
    return share


def main():
    warnings.simplefilter("ignore")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    made = Documents(seed)
    shares = [report("generated", compare((f"document {at}", made.document()) for at in range(count)))]
    shares.append(report("tree", compare(documents_of_the_tree())))
    made = Documents(seed)
    shares.append(report("generated, dumps", compare_dumps(dicts_of((f"document {at}", made.document()) for at in range(count)))))
    shares.append(report("tree, dumps", compare_dumps(dicts_of(documents_of_the_tree()))))
    hard = ((repr(data), data) for data in (made.hard_data() for _ in range(2 * count)))
    shares.append(report("texts, dumps", compare_dumps(hard)))
    return 0 if min(shares) >= 98 else 1


if __name__ == "__main__":
    sys.exit(main())
