"""Rules over tables: rows a second by engine, in one run.

    python benches/tables.py [ROWS [CHART.svg]]

The rule and the data are those of examples/spark. Each engine answers all rows; slow ones answer a part of them, and
figures are rows a second. Engines that run in this process take the best of some rounds, Spark its second run.
With a name for the chart, the figures are drawn into it. A release build of the package is needed.
"""

import os
import sys
import time

import polars
import pyarrow as pa

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "..", "examples")
sys.path.insert(0, os.path.join(EXAMPLES, "spark"))

import checks  # noqa: E402
import inventory  # noqa: E402

import importlib.util  # noqa: E402

ROUNDS = 5
OBJECTS = 20_000


def example(name):
    """The program of an example; all of them are called main.py."""
    spec = importlib.util.spec_from_file_location(f"{name}_example", os.path.join(EXAMPLES, name, "main.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def best(rows, work):
    """Rows a second of the best of some rounds."""
    least = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
    return rows / least


def in_this_process(table):
    with open(os.path.join(EXAMPLES, "spark", "policy.hcl"), encoding="utf-8") as opened:
        program, limits = checks.compiled(opened.read())
    rows = table.num_rows
    batch = table.combine_chunks().to_batches()[0]
    frame = polars.from_arrow(table)
    names = list(program.names)
    objects = batch.slice(0, OBJECTS).select([name for name in names if name != "limits"]).to_pylist()
    # Rows that fail raise: a program that is called has no column of errors.
    objects = [row for row in objects if row["kind"] != "tape"]
    limit = polars.col("kind").replace_strict(limits, default=None, return_dtype=polars.Int64)
    rule = (polars.col("size") <= limit) & (~polars.col("public") | (polars.col("kind") == "website")) & polars.col("region").str.starts_with("eu-")
    whole = rule.alias("allowed")
    assert frame.select(whole)["allowed"].to_list() == pa.array(program.over(batch, limits=limits)).to_pylist()
    return {
        "libhcl, Program.over": best(rows, lambda: program.over(batch, limits=limits, type="bool")),
        "libhcl, objects of Python": best(len(objects), lambda: [program(limits=limits, **row) for row in objects]),
        "polars, expression": best(rows, lambda: frame.select(whole)),
    }


def chart(title, speeds):
    """Bars on a logarithmic scale. Colours and greys read on white and on black."""
    grey, ours, theirs = "#808890", "#e8590c", "#1c8fb0"
    left, width, row, top = 190, 860, 26, 62
    decades = [10**exponent for exponent in range(3, 10)]
    decades = [one for one in decades if one <= 10 * max(speeds.values())]
    first, last = decades[0], decades[-1]
    bottom = top + row * len(speeds)

    def place(value):
        from math import log10

        return left + (width - left - 90) * log10(max(value, first) / first) / log10(last / first)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom + 30}" font-family="sans-serif" font-size="12" fill="{grey}">',
        f"<title>{title}</title>",
        f'<text x="12" y="24" font-size="15" font-weight="bold">{title}</text>',
        f'<circle cx="16" cy="42" r="5" fill="{ours}"/><text x="26" y="46">rules in HCL</text>',
        f'<circle cx="126" cy="42" r="5" fill="{theirs}"/><text x="136" y="46">the rule in the language of the engine</text>',
    ]
    for decade in decades:
        name = f"{decade // 10**6}M" if decade >= 10**6 else f"{decade // 1000}k"
        x = place(decade)
        out.append(f'<path d="M{x:.1f} {top}V{bottom}" stroke="{grey}" stroke-opacity=".3"/>')
        out.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{name}</text>')
    for at, (engine, speed) in enumerate(sorted(speeds.items(), key=lambda one: -one[1])):
        y = top + row * at
        colour = theirs if "SQL" in engine or "polars" in engine else ours
        out.append(f'<text x="{left - 8}" y="{y + 17}" text-anchor="end">{engine}</text>')
        out.append(f'<rect x="{left}" y="{y + 5}" width="{place(speed) - left:.1f}" height="16" fill="{colour}"/>')
        out.append(f'<text x="{place(speed) + 6:.1f}" y="{y + 17}">{shown(speed)}</text>')
    return "\n".join([*out, "</svg>", ""])


def shown(speed):
    return f"{speed / 1e6:.3g}M" if speed >= 1e6 else f"{speed / 1e3:.3g}k"


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    speeds = in_this_process(inventory.resources(rows))
    _, more = example("duckdb").measured(rows)
    speeds.update(more)
    report, more, is_right = example("spark").measured(rows)
    more.pop("one process, no Spark")
    speeds.update(more)
    print(f"{rows} rows\n\n| engine | rows/s | to `Program.over` |\n|---|---:|---:|")
    ours = speeds["libhcl, Program.over"]
    for engine, speed in sorted(speeds.items(), key=lambda one: -one[1]):
        print(f"| {engine} | {shown(speed)} | {speed / ours:.3g} |")
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as opened:
            opened.write(chart(f"A rule over {rows:,} rows: rows a second", speeds))
    if not is_right:
        return "\n".join(report)
    ratio = ours / speeds["libhcl, objects of Python"]
    return 0 if ratio >= 20 else f"Program.over is only {ratio:.1f} times as fast as objects of Python"


if __name__ == "__main__":
    sys.exit(main())
