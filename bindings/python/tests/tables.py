"""Programs over tables of pyarrow, pandas and polars, and of whatever else lends columns of Arrow."""

import datetime
import decimal
import gc
import math
import pickle
import random
import threading
import time
import unittest

import numpy
import pandas
import polars
import pyarrow as pa

import libhcl
from libhcl import HclError

ROWS = 2_000


def table(rows=ROWS):
    choose = random.Random(1)
    return pa.table(
        {
            "kind": pa.array([choose.choice(["disk", "bucket", None]) for _ in range(rows)]),
            "size": pa.array([choose.choice([1, 20, 300, None]) for _ in range(rows)], pa.int32()),
            "cost": pa.array([choose.random() for _ in range(rows)]),
            "public": pa.array([choose.random() < 0.5 for _ in range(rows)]),
            "tags": pa.array([choose.choice([[], ["a"], ["a", "b"]]) for _ in range(rows)]),
            "owner": pa.array([{"name": choose.choice("xyz"), "age": choose.randrange(99)} for _ in range(rows)]),
        }
    )


class Lent:
    """A table that has nothing but the protocol."""

    def __init__(self, inner, method):
        setattr(self, "_inner", inner)
        setattr(type(self), method, lambda self, requested_schema=None: getattr(self._inner, method)(requested_schema))


class Over(unittest.TestCase):
    RULES = [
        'kind == "disk" && size > 10',
        "public || cost > 0.5",
        "size * 2",
        "size == null ? -1 : size % 7",
        '"${kind}/${size}"',
        'contains(tags, "b") && owner.age > limit',
        "length(tags) + owner.age",
        "[for t in tags : upper(t)]",
        "{ name = owner.name, n = length(tags) }",
        "cost * limit",
        "kind",
        "null",
    ]

    def by_objects(self, program, batch, **more):
        """The answers of calls with objects of Python, and the rows that fail."""
        answers, failed = [], []
        names = [name for name in program.names if name in batch.schema.names]
        for at, row in enumerate(batch.select(names).to_pylist()):
            try:
                answers.append(program(**row, **more))
            except HclError:
                answers.append(None)
                failed.append(at)
        return answers, failed

    def test_answers_are_those_of_calls(self):
        batch = table().combine_chunks().to_batches()[0]
        for text in self.RULES:
            program = libhcl.compile(text)
            more = {"limit": 30} if "limit" in program.names else {}
            if not set(program.names) & set(batch.schema.names):
                answers, failed = [program(**more)] * batch.num_rows, []
            else:
                answers, failed = self.by_objects(program, batch, **more)
            result = program.over(batch, **more)
            self.assertEqual(len(result), batch.num_rows)
            self.assertEqual(pa.array(result).to_pylist(), answers, text)
            # A row may have several mistakes.
            told = list(dict.fromkeys(row for row, _ in result.errors))
            self.assertEqual(told, failed[: len(told)], text)
            self.assertEqual(bool(told), bool(failed), text)
            self.assertEqual(result.n_failed, len(failed), text)

    def test_slices_and_chunks(self):
        whole = table()
        program = libhcl.compile('kind == "disk" ? "d${size}" : join("-", tags)')
        expected = pa.array(program.over(whole.combine_chunks().to_batches()[0])).to_pylist()
        chunked = pa.concat_tables([whole.slice(0, 7), whole.slice(7, 1000), whole.slice(1007)])
        result = program.over(chunked)
        self.assertEqual(pa.array(result).to_pylist(), expected)
        self.assertEqual(pa.chunked_array(result).to_pylist(), expected)
        failing = [at for at, (kind, size) in enumerate(zip(whole["kind"].to_pylist(), whole["size"].to_pylist())) if kind == "disk" and size is None]
        self.assertEqual([row for row, _ in result.errors], failing[: len(result.errors)])
        self.assertEqual(result.n_failed, len(failing))
        for start, length in ((0, 0), (3, 1), (9, 100), (1999, 1)):
            part = whole.slice(start, length).combine_chunks().to_batches()
            got = [one for batch in part for one in pa.array(program.over(batch)).to_pylist()]
            self.assertEqual(got, expected[start : start + length])

    def test_pieces_of_a_table_give_one_column(self):
        for text, given, expected in (
            ("n", [[None, None], [1, None], [3]], [None, None, 1, None, 3]),
            ("n", [[1, 2], [], [None]], [1, 2, None]),
            ("n / 2", [[2, 4], [1, None], [6]], [1.0, 2.0, 0.5, None, 3.0]),
            ('"t${n}"', [[1], [None, 22], [3]], ["t1", None, "t22", "t3"]),
            ("n > 1", [[1] * 70, [2] * 70, [None, 2]], [False] * 70 + [True] * 70 + [None, True]),
            ("[for i in range(n) : i]", [[0, 2], [None, 1]], [[], [0, 1], None, [0]]),
            ("{ k = n, l = [n] }", [[1], [2, 3]], [{"k": 1, "l": [1]}, {"k": 2, "l": [2]}, {"k": 3, "l": [3]}]),
        ):
            table = pa.chunked_array([pa.array(one, pa.int64()) for one in given])
            result = pa.array(libhcl.compile(text).over(pa.table({"n": table})))
            result.validate(full=True)
            self.assertEqual(result.to_pylist(), expected, text)
        with self.assertRaisesRegex(HclError, "different types"):
            libhcl.compile("[true, 1][n]").over(pa.table({"n": pa.chunked_array([[0], [1]])}))

    def test_other_libraries(self):
        whole = table().select(["kind", "size", "cost", "public"])
        program = libhcl.compile('public && cost > 0.25 || kind == "disk"')
        expected = pa.array(program.over(whole)).to_pylist()
        frame = polars.from_arrow(whole)
        self.assertEqual(pa.array(program.over(frame)).to_pylist(), expected)
        self.assertEqual(polars.Series(program.over(frame)).to_list(), expected)
        self.assertEqual(frame.with_columns(ok=polars.Series(program.over(frame))).filter("ok").height, sum(map(bool, expected)))
        pandas_frame = pandas.DataFrame({"public": whole["public"].to_pylist(), "cost": whole["cost"].to_pylist(), "kind": whole["kind"].to_pylist()})
        self.assertEqual(pa.array(program.over(pandas_frame)).to_pylist(), expected)
        self.assertEqual(pa.array(program.over(Lent(whole, "__arrow_c_stream__"))).to_pylist(), expected)
        batch = whole.combine_chunks().to_batches()[0]
        self.assertEqual(pa.array(program.over(type("Other", (Lent,), {})(batch, "__arrow_c_array__"))).to_pylist(), expected)

    def test_types_of_columns(self):
        moment = datetime.datetime(2026, 1, 2, 3, 4, 5)
        cells = {
            "u8": (pa.array([255], pa.uint8()), 255),
            "i64": (pa.array([-(2**63)], pa.int64()), -(2**63)),
            "u64": (pa.array([2**64 - 1], pa.uint64()), 2**64 - 1),
            "f32": (pa.array([0.5], pa.float32()), 0.5),
            "dec": (pa.array([decimal.Decimal("1.25")], pa.decimal128(10, 2)), 1.25),
            "large": (pa.array(["é"], pa.large_string()), "é"),
            "view": (pa.array(["a text that is longer than twelve"], pa.string_view()), "a text that is longer than twelve"),
            "dictionary": (pa.array(["x"]).dictionary_encode(), "x"),
            "date": (pa.array([moment.date()]), "2026-01-02"),
            "timestamp": (pa.array([moment], pa.timestamp("us", "UTC")), "2026-01-02T03:04:05Z"),
            "nothing": (pa.nulls(1), None),
        }
        batch = pa.table({name: array for name, (array, _) in cells.items()})
        for name, (_, value) in cells.items():
            result = libhcl.compile(f"{name} == given").over(batch, given=value)
            self.assertEqual(pa.array(result).to_pylist(), [True], (name, result.errors))
        maps = pa.table({"m": pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int32()))})
        self.assertEqual(pa.array(libhcl.compile('lookup(m, "a", 0)').over(maps)).to_pylist(), [1, 0])

    def test_the_type_of_the_result(self):
        batch = pa.table({"n": pa.array([1, 2, None])})
        program = libhcl.compile("n * 2")
        self.assertEqual(pa.array(program.over(batch)).type, pa.int64())
        for name, expected in (("number", pa.float64()), ("int64", pa.int64()), ("int8", pa.int8()), ("float64", pa.float64()), ("string", pa.string())):
            result = program.over(batch, type=name)
            self.assertEqual(pa.array(result).type, expected)
            self.assertEqual(pa.array(result).to_pylist()[:2], ["2", "4"] if name == "string" else [2, 4])
            self.assertEqual([row for row, _ in result.errors], [2])
        with self.assertRaises(ValueError):
            program.over(batch, type="int65")
        with self.assertRaises(HclError):
            libhcl.compile("[true, 1][n - 1]").over(batch.slice(0, 2))
        result = libhcl.compile("n > 1").over(batch.slice(0, 0), type="bool")
        self.assertEqual((len(result), pa.array(result).type), (0, pa.bool_()))

    def test_answers_are_a_sequence_of_python(self):
        batch = table(50)
        for rule in self.RULES:
            program = libhcl.compile(rule)
            answers = program.over(batch, {"limit": 30} if "limit" in program.names else None)
            expected = pa.array(answers).to_pylist()
            self.assertEqual(list(answers), expected, rule)
            self.assertEqual((answers[0], answers[-1], answers[3:9:2], len(answers)), (expected[0], expected[-1], expected[3:9:2], 50))
        with self.assertRaises(IndexError):
            answers[50]
        failing = libhcl.compile("1 / n").over(pa.table({"n": ["x", "4"]}))
        self.assertEqual(list(failing), [None, 0.25])
        exact = libhcl.compile("n / 8", numbers="decimal").over(pa.table({"n": [1]}), type="decimal(10,3)")
        self.assertEqual(list(exact), [decimal.Decimal("0.125")])

    def test_integers_of_numpy(self):
        program = libhcl.compile("size < limits[kind]")
        answers = program.over(pa.table({"size": [1, 5], "kind": ["disk", "disk"]}), limits={"disk": numpy.int64(3)})
        self.assertEqual(list(answers), [True, False])
        self.assertEqual(libhcl.evaluate("x + 1", x=numpy.uint8(3)), 4)
        with self.assertRaisesRegex(TypeError, "x: .*ndarray"):
            libhcl.evaluate("x", x=numpy.array([1, 2]))

    def test_types_that_are_none_name_those_of_columns(self):
        with self.assertRaisesRegex(HclError, r"decimal\(PRECISION,SCALE\)"):
            libhcl.compile("a").over(pa.table({"a": [1]}), type="int")

    def test_errors(self):
        batch = pa.table({"n": pa.array([1, None, 3]), "kind": ["a", "b", "c"]})
        program = libhcl.compile("n > limits[kind]")
        result = program.over(batch, {"limits": {"a": 0, "b": 1}})
        self.assertEqual(pa.array(result).to_pylist(), [True, None, None])
        self.assertEqual([row for row, _ in result.errors], [1, 2])
        self.assertEqual([one.range.start_column for _, one in result.errors], [1, 11])
        self.assertEqual([one.row for _, one in result.errors], [1, 2])
        with self.assertRaises(HclError) as caught:
            program.over(batch, limits={"a": 0}, errors="raise")
        self.assertEqual([one.row for one in caught.exception.diagnostics], [1])
        self.assertIn("In row 1: ", str(caught.exception))
        self.assertIn("In row 1: ", str(caught.exception.diagnostics[0]))
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual([one.row for one in again.diagnostics], [1])
        with self.assertRaises(HclError) as caught:
            program(n=None, kind="a", limits={"a": 0})
        self.assertEqual([one.row for one in caught.exception.diagnostics], [None])
        with self.assertRaises(ValueError):
            program.over(batch, limits={}, errors="ignore")

    def test_rows_of_pieces_are_rows_of_the_table(self):
        pieces = pa.table({"n": pa.chunked_array([[1, 2], [], [3, None], [None]], pa.int64())})
        program = libhcl.compile("n > 1")
        result = program.over(pieces)
        self.assertEqual([(row, one.row) for row, one in result.errors], [(3, 3), (4, 4)])
        with self.assertRaises(HclError) as caught:
            program.over(pieces, errors="raise")
        self.assertEqual([one.row for one in caught.exception.diagnostics], [3])

    def test_tables_without_rows(self):
        none = pa.schema([("n", pa.int64()), ("kind", pa.dictionary(pa.int8(), pa.string())), ("tags", pa.list_(pa.string()))])
        tables = [none.empty_table(), none.empty_table().to_batches(), pa.Table.from_batches([], none), pa.RecordBatch.from_pylist([], none)]
        tables[1] = tables[1][0] if tables[1] else tables[0]
        tables.append(polars.from_arrow(none.empty_table()))
        for table in tables:
            result = libhcl.compile('n > 1 && kind == "x" && length(tags) > 0').over(table, type="bool")
            self.assertEqual((len(result), pa.array(result).type), (0, pa.bool_()))
            for text in ("n > nosuch", "nosuch", "n.nosuch.x == nosuch"):
                with self.assertRaisesRegex(HclError, '"nosuch", which is no column of the table'):
                    libhcl.compile(text).over(table)
            self.assertEqual(len(libhcl.compile("n > limit").over(table, limit=1)), 0)
        durations = pa.schema([("n", pa.duration("s"))]).empty_table()
        with self.assertRaisesRegex(HclError, '"n" is a duration'):
            libhcl.compile("n > 1").over(durations)

    def test_defaults_of_the_type(self):
        batch = pa.table({"n": [1, 2]})
        result = libhcl.compile("n > 1 ? { n = n, kind = \"b\" } : { n = n, kind = null }").over(
            batch, type='object({ n = number, kind = optional(string, "a"), tags = optional(list(string)) })'
        )
        self.assertEqual(
            pa.array(result).to_pylist(), [{"kind": "a", "n": 1.0, "tags": None}, {"kind": "b", "n": 2.0, "tags": None}]
        )

    def test_numbers_that_are_not_finite(self):
        cells = [1.5, float("nan"), float("inf"), -float("inf"), None]
        for kind in (pa.float16(), pa.float32(), pa.float64()):
            batch = pa.table({"x": pa.array([None if one is None else numpy.float16(one) for one in cells], kind)})
            for text, expected, failed in (
                # An infinity is above or below all numbers, and NaN is the error of its row.
                ("x > 1", [True, None, True, False, None], [1, 4]),
                ("x == null", [False, None, False, False, True], [1]),
                ("x == x", [True, None, True, True, True], [1]),
                ("x == 1 / 0", [False, None, True, False, False], [1]),
                ("x", [1.5, None, math.inf, -math.inf, None], [1]),
                ('"v${x}"', ["v1.5", None, "v+Inf", "v-Inf", None], [1, 4]),
                ("x - x", [0.0, None, None, None, None], [1, 2, 3, 4]),
                ("7", [7] * 5, []),
            ):
                result = libhcl.compile(text).over(batch)
                self.assertEqual(pa.array(result).to_pylist(), expected, (kind, text))
                self.assertEqual([row for row, _ in result.errors], failed, (kind, text))
        result = libhcl.compile("x").over(batch)
        self.assertEqual(result.errors[0][1].detail, 'The column "x" is NaN, which is no number.')
        for name, failed in (("int64", [0, 1, 2, 3]), ("decimal(10,2)", [1, 2, 3]), ("float32", [1]), ("string", [1])):
            self.assertEqual([row for row, _ in libhcl.compile("x").over(batch, type=name).errors], failed, name)
        # Beyond the range of a type of floats is an infinity; of whole numbers and decimals, an error.
        large = libhcl.compile("n * 1e400").over(pa.table({"n": [1, -1]}))
        self.assertEqual(pa.array(large).to_pylist(), [math.inf, -math.inf])
        self.assertEqual(pa.array(libhcl.compile("n * 1e300").over(pa.table({"n": [1]}), type="float32")).to_pylist(), [math.inf])
        # NaN stands for a missing number in pandas, which lends it as null.
        frame = pandas.DataFrame({"x": [1.0, float("nan")]})
        self.assertEqual(pa.array(libhcl.compile("x == null").over(frame)).to_pylist(), [False, True])
        # As values of Python both are refused.
        for value in (math.nan, math.inf, -math.inf):
            with self.assertRaisesRegex(ValueError, "limit: NaN and infinity"):
                libhcl.compile("x > limit").over(batch, limit=value)
        self.assertEqual(libhcl.evaluate("1 / 0"), math.inf)

    def test_what_does_not_fit_is_told_before_the_first_row(self):
        program = libhcl.compile("n > 1")
        seen = []
        watching = libhcl.compile("see(n) > 1 && b == b", functions={"see": lambda n: seen.append(n) or n})
        blobs = pa.table({"n": [1], "b": pa.array([datetime.timedelta(1)])})
        with self.assertRaisesRegex(HclError, '"?b"?'):
            watching.over(blobs)
        self.assertEqual(seen, [])
        self.assertEqual(pa.array(program.over(blobs)).to_pylist(), [False])
        for wrong in (1, "n", None, [1], {"n": [1]}, pa.schema([("n", pa.int64())])):
            with self.assertRaisesRegex(TypeError, "table"):
                program.over(wrong)
        with self.assertRaises((TypeError, HclError)):
            program.over(pa.array([1, 2]))
        with self.assertRaisesRegex(TypeError, "limit"):
            program.over(blobs, limit=1)
        with self.assertRaisesRegex(HclError, "n"):
            program.over(pa.table({"m": [1]}), errors="raise")

    def test_limits(self):
        batch = pa.table({"n": pa.array(range(100_000))})
        slow = "length([for a in range(100) : [for b in range(100) : a * b * n]]) > 0"
        start = time.monotonic()
        with self.assertRaises(HclError) as caught:
            libhcl.compile(slow, timeout=0.2).over(batch)
        self.assertLess(time.monotonic() - start, 5)
        self.assertEqual(caught.exception.diagnostics[-1].code, "limit.deadline")
        with self.assertRaises(HclError) as caught:
            libhcl.compile("n > 1", max_steps=1000).over(batch)
        self.assertEqual(caught.exception.diagnostics[-1].code, "limit.steps")
        # The limit holds for all pieces together, and is told as it was given.
        pieces = pa.table({"n": pa.chunked_array([range(100)] * 10)})
        with self.assertRaisesRegex(HclError, "more than the limit of 2500 steps"):
            libhcl.compile("n > 1", max_steps=2500).over(pieces)
        self.assertEqual(len(libhcl.compile("n > 1", max_steps=5000).over(pieces)), 1000)

    def test_results_of_all_pieces_are_bounded(self):
        text = "x" * 1_000
        pieces = pa.table({"s": pa.chunked_array([pa.array([text]).take(pa.array([0] * 20_000))] * 10)})
        with self.assertRaises(HclError) as caught:
            libhcl.compile('"${s}${s}"').over(pieces)
        self.assertEqual(caught.exception.diagnostics[-1].code, "limit.memory")
        self.assertEqual(len(libhcl.compile('"${s}${s}"').over(pieces.slice(0, 60_000))), 60_000)

    def test_pieces_that_are_not_as_the_schema_says(self):
        schema = pa.schema([("n", pa.int64())])
        good, bad = pa.record_batch({"n": pa.array([1])}), pa.record_batch({"n": pa.array(["abcdefgh"])})
        program = libhcl.compile("n + 1")
        for batches in ([bad], [good, bad]):
            reader = pa.RecordBatchReader.from_batches(schema, batches)
            with self.assertRaisesRegex(HclError, '"n" has 3 buffers'):
                program.over(reader)

    def test_what_is_lent_is_no_capsule(self):
        batch = pa.record_batch({"n": [1]})
        for given in (None, (None, None), (1, 2), batch.__arrow_c_array__()[:1]):
            lent = type("Lent", (), {"__arrow_c_array__": lambda self, requested_schema=None, given=given: given})()
            with self.assertRaisesRegex(TypeError, "table: .*capsule"):
                libhcl.compile("n").over(lent)
        lent = type("Lent", (), {"__arrow_c_stream__": lambda self, requested_schema=None: 5})()
        with self.assertRaisesRegex(TypeError, "table: int was lent"):
            libhcl.compile("n").over(lent)

    def test_times_that_are_none(self):
        with self.assertRaisesRegex(ValueError, r"x\[0\]: NaT is no time"):
            libhcl.evaluate("x", x=[pandas.NaT])
        self.assertEqual(libhcl.evaluate("x", x=pandas.Timestamp("2020-01-02")), "2020-01-02T00:00:00")

    def test_threads_run_meanwhile_and_share_a_program(self):
        batch = pa.table({"n": pa.array(range(20_000))}).to_batches()[0]
        program = libhcl.compile("length([for a in range(20) : a * n]) + n")
        expected = pa.array(program.over(batch))
        results, ticks, done = [], [], threading.Event()
        threads = [threading.Thread(target=lambda: results.append(pa.array(program.over(batch)))) for _ in range(4)]

        def tick():
            while not done.is_set():
                ticks.append(1)
                time.sleep(0.001)

        ticker = threading.Thread(target=tick)
        ticker.start()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        done.set()
        ticker.join()
        self.assertTrue(all(one.equals(expected) for one in results))
        self.assertGreater(len(ticks), 10)

    def test_what_is_lent_is_not_copied_and_not_kept(self):
        before = pa.total_allocated_bytes()
        batch = pa.table({"n": pa.array(range(1_000_000)), "unused": pa.array(["x" * 50] * 100_000 + ["y"] * 900_000)})
        held = pa.total_allocated_bytes()
        result = libhcl.compile("n > 5").over(batch)
        self.assertEqual(pa.total_allocated_bytes(), held)
        answers = pa.array(result)
        del batch
        gc.collect()
        self.assertLessEqual(pa.total_allocated_bytes(), before + 1024)
        del result
        gc.collect()
        self.assertEqual(answers.sum().as_py(), 1_000_000 - 6)

    def test_results_can_be_taken_again(self):
        result = libhcl.compile("n").over(pa.table({"n": ["a", "b"]}))
        self.assertEqual(pa.array(result).to_pylist(), ["a", "b"])
        self.assertEqual(pa.array(result).to_pylist(), ["a", "b"])
        schema, array = result.__arrow_c_array__()
        del schema, array, result
        gc.collect()


if __name__ == "__main__":
    unittest.main()
