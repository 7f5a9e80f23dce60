"""The policy of examples/spark as a function of DuckDB, which hands it columns of Arrow: for one machine, in SQL.

    python main.py [ROWS]
"""

import os
import sys
import time

import duckdb
import pyarrow as pa
from duckdb.sqltypes import BOOLEAN, INTEGER, VARCHAR

HERE = os.path.dirname(os.path.abspath(__file__))
POLICY = os.path.join(HERE, "..", "spark")
sys.path.insert(0, POLICY)

import checks  # noqa: E402
import inventory  # noqa: E402

#: The rule of policy.hcl in SQL. Null stands for what HCL has no answer to: false decides `AND` there too.
SQL = """
    size <= CASE kind WHEN 'bucket' THEN 5000 WHEN 'disk' THEN 1000 WHEN 'website' THEN 100 END
    AND (NOT public OR kind = 'website') AND starts_with(region, 'eu-')
"""


def measured(rows):
    """Runs the query with both rules; gives the answers of both, and rows a second."""
    with open(os.path.join(POLICY, "policy.hcl"), encoding="utf-8") as opened:
        program, limits = checks.compiled(opened.read())

    def allowed(kind, size, region, public):
        table = pa.table({"kind": kind, "size": size, "region": region, "public": public})
        return pa.chunked_array(program.over(table, limits=limits, type="bool"))

    connection = duckdb.connect()
    # A rule may answer a row without nulls by null: a kind that it does not know.
    columns = [VARCHAR, INTEGER, VARCHAR, BOOLEAN]
    connection.create_function("allowed", allowed, columns, BOOLEAN, type="arrow", null_handling="special")
    connection.register("resources", inventory.resources(rows))
    connection.execute("CREATE TABLE inventory AS SELECT * FROM resources")
    answers, speeds = [], {}
    for name, rule in (("DuckDB, Arrow function", "allowed(kind, size, region, public)"), ("DuckDB SQL", SQL)):
        query = f"SELECT {rule} AS ok, count(*) FROM inventory GROUP BY ok ORDER BY ok"
        connection.execute(query).fetchall()
        start = time.perf_counter()
        answers.append(connection.execute(query).fetchall())
        speeds[name] = rows / (time.perf_counter() - start)
    return answers, speeds


def main():
    (of_policy, of_sql), speeds = measured(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    for ok, count in of_policy:
        print(f"{ {True: 'in order', False: 'not in order', None: 'without an answer'}[ok]:18} {count}")
    print(f"the answers of SQL: {of_policy == of_sql}")
    for engine, speed in speeds.items():
        print(f"{engine:24} {speed:12,.0f} rows/s")
    return 0 if of_policy == of_sql else 1


if __name__ == "__main__":
    sys.exit(main())
