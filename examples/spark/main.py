"""A policy over a data set with Spark: `mapInArrow` hands batches of columns to the policy's program.

    python main.py [ROWS]

Spark runs in this process's machine with two workers; docs/guides/scale.md says what a cluster needs. What the workers find is
held against what one process finds without Spark, and the speed against that of the rule as an expression of Spark SQL.
"""

import functools
import os
import sys
import tempfile
import time

import pyarrow as pa
import pyarrow.parquet as parquet

HERE = os.path.dirname(os.path.abspath(__file__))
# Workers are processes of their own, which have the environment of this one.
os.environ["PYTHONPATH"] = os.pathsep.join([HERE, *filter(None, [os.environ.get("PYTHONPATH")])])
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
sys.path.insert(0, HERE)

import checks  # noqa: E402
import inventory  # noqa: E402
from pyspark.sql import SparkSession, functions  # noqa: E402

BATCH = 20_000
#: The rule of policy.hcl in SQL. Null stands for what HCL has no answer to: false decides `AND` there too.
SQL = """
    size <= try_element_at(map('bucket', 5000, 'disk', 1000, 'website', 100), kind)
    AND (NOT public OR kind = 'website') AND startswith(region, 'eu-')
"""


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def tally(frame):
    """How many resources are in order, are not, and have no answer."""
    counted = frame.groupBy("allowed").count().collect()
    return {row["allowed"]: row["count"] for row in counted}


def measured(rows):
    """Runs all of it; gives the lines of a report, rows a second by engine, and whether all of them say the same."""
    with open(os.path.join(HERE, "policy.hcl"), encoding="utf-8") as opened:
        policy = opened.read()
    table = inventory.resources(rows)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "inventory.parquet")
        parquet.write_table(table, file, row_group_size=rows // 10 + 1, compression="none")
        spark = session(os.path.getsize(file) // 10)
        try:
            frame = spark.read.parquet(folder)
            found = frame.mapInArrow(functools.partial(checks.check, policy), checks.SCHEMA)
            in_sql = frame.select("id", functions.expr(SQL).alias("allowed"))
            # The first run starts workers and compiles.
            for warm in (found, in_sql):
                tally(warm)
            of_policy, policy_time = timed(lambda: tally(found))
            of_sql, sql_time = timed(lambda: tally(in_sql))
            answers = found.toArrow().sort_by("id")
        finally:
            spark.stop()
    alone, alone_time = timed(lambda: pa.Table.from_batches(checks.check(policy, table.to_batches(BATCH))))
    workers = sorted(set(answers["worker"].to_pylist()))
    once = len(workers) >= 2 and all(one.endswith(":1") for one in workers)
    same = all(answers[name].combine_chunks().equals(alone[name].combine_chunks()) for name in ("id", "allowed", "error"))
    report = [
        f"{rows} resources: {of_policy.get(True, 0)} in order, {of_policy.get(False, 0)} not, {of_policy.get(None, 0)} without an answer",
        f"{len(workers)} workers, each of which compiled one program: {once}",
        f"the answers of one process: {same}; those of SQL: {of_policy == of_sql}",
    ]
    speeds = {
        "Spark, mapInArrow": rows / policy_time,
        "Spark SQL": rows / sql_time,
        "one process, no Spark": rows / alone_time,
    }
    return report, speeds, once and same and of_policy == of_sql


def session(partition):
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # How many rows a worker is handed at once.
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH),
        # So many bytes of the file are a task.
        "spark.sql.files.maxPartitionBytes": str(partition),
    }
    spark = SparkSession.builder.master("local[2]").appName("policy").config(map=settings).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def main():
    report, speeds, is_right = measured(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    print("\n".join(report))
    for engine, speed in speeds.items():
        print(f"{engine:24} {speed:12,.0f} rows/s")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
