"""What the package does, by the standard library's unittest alone."""

import contextlib
import copy
import dataclasses
import datetime
import decimal
import doctest
import enum
import errno
import fractions
import gc
import importlib
import importlib.util
import io
import ipaddress
import os
import pathlib
import pickle
import pkgutil
import re
import resource
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import typing
import unittest
import unittest.mock
import uuid
import weakref
from dataclasses import InitVar, dataclass, field, make_dataclass
from typing import ClassVar, Dict, List, Literal, NewType, Optional, Sequence, Set, Tuple, Union

import libhcl
import libhcl.hcl2
from libhcl import Block, Capsule, Expression, HclError, Module, Sensitive, Unknown

BOMB = "length([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]])"


class Reading(unittest.TestCase):
    def test_constants_are_values_and_the_rest_are_expressions(self):
        text = 'a = 1\nb = [true, null, -2.5]\nc = { k = "v", "x y" = var.z }\nd = "${var.a}-b"\n'
        expected = {
            "a": 1,
            "b": [True, None, -2.5],
            "c": {"k": "v", "x y": Expression("var.z")},
            "d": Expression('"${var.a}-b"'),
        }
        self.assertEqual(libhcl.loads(text), expected)
        self.assertIsInstance(libhcl.loads(text)["d"], Expression)
        as_text = libhcl.loads(text, expressions="text")
        self.assertEqual((as_text["d"], as_text["c"]["x y"]), ("${var.a}-b", "${var.z}"))

    def test_blocks_are_lists_under_their_type(self):
        data = libhcl.loads('s "a" "b" {\n  x = 1\n}\ns "a" "c" {}\ns {}\n')
        self.assertEqual(data, {"s": [{"a": {"b": {"x": 1}}}, {"a": {"c": {}}}, {}]})
        self.assertIsInstance(data["s"][0]["a"]["b"], Block)

    def test_an_attribute_and_blocks_of_one_name_have_no_place_in_a_dict(self):
        with self.assertRaises(HclError):
            libhcl.loads("a = 1\na {}\n")

    def test_blocks_stand_under_their_labels_by_option(self):
        text = 's "a" "b" {\n  x = 1\n}\ns "a" "c" {}\nt {}\nt {}\nu "d" {\n  v "e" {}\n}\nu "d" {}\n'
        data = libhcl.loads(text, blocks="labels")
        self.assertEqual(data, {"s": {"a": {"b": {"x": 1}, "c": {}}}, "t": [{}, {}], "u": {"d": [{"v": {"e": {}}}, {}]}})
        self.assertEqual(libhcl.parse(text).to_dict(blocks="labels"), data)
        self.assertEqual(libhcl.loads(libhcl.dumps(data), blocks="labels"), data)
        self.assertEqual(libhcl.loads(libhcl.dumps(data)), libhcl.loads(text))
        for clash in ('s {}\ns "a" {}\n', 's "a" {}\ns {}\n', 's "a" {}\ns "a" "b" {}\n', 's "a" "b" {}\ns "a" {}\n'):
            with self.assertRaises(HclError) as caught:
                libhcl.loads(clash, blocks="labels")
            self.assertEqual(caught.exception.diagnostics[0].range.start_line, 2)
            self.assertEqual(len(libhcl.loads(clash)["s"]), 2)

    def test_numbers(self):
        text = "a = 0.1\nb = 123456789012345678901234567890\n"
        self.assertEqual(libhcl.loads(text), {"a": 0.1, "b": 123456789012345678901234567890})
        self.assertEqual(libhcl.loads(text, numbers="decimal")["a"], decimal.Decimal("0.1"))

    def test_keys_are_normalised_as_texts_are(self):
        text = 'a = { e\u0301 = "e\u0301", "E\u0301" = var.x }\n'
        (data, given) = (libhcl.loads(text), libhcl.loads(text, variables={"var": {"x": 1}}))
        self.assertEqual(set(data["a"]), set(given["a"]))
        self.assertEqual(data["a"]["\u00e9"], "\u00e9")

    def test_json_syntax(self):
        self.assertEqual(libhcl.loads('{"a": [1, "${x}", null]}', syntax="json"), {"a": [1, "${x}", None]})
        self.assertEqual(libhcl.loads('{"a": 1}', filename="x.tf.json"), {"a": 1})

    def test_variables_evaluate_everything(self):
        text = 'a = n + 1\nb "x" {\n  c = twice(n)\n}\n'
        data = libhcl.loads(text, variables={"n": 2}, functions={"twice": lambda n: n * 2})
        self.assertEqual(data, {"a": 3, "b": [{"x": {"c": 4}}]})

    def test_files_and_file_objects(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "x.hcl")
            libhcl.dump({"a": "é"}, path)
            self.assertEqual(libhcl.load(path), {"a": "é"})
            path.write_text("a =\n")
            with self.assertRaises(HclError) as caught:
                libhcl.load(str(path))
            self.assertEqual(caught.exception.diagnostics[0].range.filename, str(path))

    def test_all_errors_are_told_with_their_places(self):
        with self.assertRaises(HclError) as caught:
            libhcl.loads("a = 1 2\nb = &\n\nc = 1 |\n", filename="main.hcl")
        error = caught.exception
        self.assertIsInstance(error, ValueError)
        self.assertLessEqual({1, 2, 4}, {one.range.start_line for one in error.diagnostics})
        self.assertEqual(error.diagnostics[0].severity, "error")
        self.assertIn("main.hcl:2:5", str(error))
        self.assertIn("2 │ b = &", str(error))
        self.assertIn("<pre>", error._repr_html_())
        self.assertIn("<pre>", error.diagnostics[0]._repr_html_())


class Documents(unittest.TestCase):
    TEXT = '# top\nservice "web" {\n  port = 80 # usual\n  tags = { a = 1 }\n}\n'

    def test_places(self):
        doc = libhcl.parse(self.TEXT)
        place = doc.range_of("service.web.port")
        self.assertEqual((place.start_line, place.start_column, place.end_column), (3, 3, 12))
        self.assertEqual(self.TEXT.encode()[place.start_byte : place.end_byte], b"port = 80")
        self.assertEqual(doc.range_of("service.web.tags.a").start_line, 4)
        self.assertEqual(doc.get("service.web"), {"port": 80, "tags": {"a": 1}})
        self.assertEqual(doc.source_of("service.web.tags"), "{ a = 1 }")
        with self.assertRaises(HclError):
            doc.range_of("service.wbe.port")

    def test_edits_keep_comments(self):
        doc = libhcl.parse(self.TEXT)
        doc.set("service.web.port", Expression("var.port"))
        doc.set("service.web.host", "a\nb")
        doc.set("service.db.port", [1, 2], create=True)
        doc.rename("service.web.tags", "labels")
        doc.append("x = 1\n")
        doc.relabel("service.db", ["main"])
        self.assertTrue(doc.text.startswith('# top\nservice "web" {\n'), doc.text)
        self.assertIn("var.port # usual\n", doc.text)
        self.assertIn('service "main" {\n  port = [1, 2]\n}\n', doc.text)
        self.assertTrue(doc.text.endswith("\nx = 1\n"), doc.text)
        again = libhcl.loads(doc.text)
        self.assertEqual(again["service"][0]["web"], {"port": Expression("var.port"), "labels": {"a": 1}, "host": "a\nb"})
        self.assertEqual(doc.remove("service.web.host"), 1)
        self.assertNotIn("host", doc.text)

    def test_values_are_laid_out_as_dumps_does_at_their_place(self):
        value = [1, {"x": 2, "inner": [{"y": "a\nb"}]}]
        doc = libhcl.parse("c {\n  a = 1\n}\n")
        doc.set("c.b", value)
        self.assertEqual(
            doc.text,
            "c {\n  a = 1\n  b = [\n    1,\n    {\n      x = 2\n      inner = [\n        {\n          y = \"a\\nb\"\n        },\n      ]\n    },\n  ]\n}\n",
        )
        doc.set("c.a", value)
        doc.set("top", value)
        self.assertEqual(libhcl.format(doc.text), doc.text)
        self.assertIn(libhcl.dumps({"top": value}), doc.text)
        deep = libhcl.parse("a {\n    b {\n        c = 1\n    }\n}\n")
        deep.set("a.b.d", {"x": 1})
        self.assertIn("        d = {\n          x = 1\n        }\n", deep.text)
        # An expression stays as it is written.
        deep.set("a.b.d", Expression("[1,{x=2}]"))
        self.assertIn("        d = [1,{x=2}]\n", deep.text)

    def test_blocks_are_listed(self):
        doc = libhcl.parse('v "s" {\n  w "x" {}\n}\na = 1\nv "s" {}\nq {}\n', filename="main.hcl")
        found = doc.blocks()
        self.assertEqual([(one.type, one.labels, str(one.range)) for one in found], [("v", ("s",), "main.hcl:1,1"), ("v", ("s",), "main.hcl:5,1"), ("q", (), "main.hcl:6,1")])
        self.assertEqual([doc.get(one.path) for one in found], [{"w": [{"x": {}}]}, {}, {}])
        self.assertEqual(doc.blocks("q"), found[2:])
        self.assertEqual(doc.blocks(type="nosuch"), [])
        self.assertEqual([one.labels for one in doc.blocks("w", found[0].path)], [("x",)])
        with self.assertRaisesRegex(HclError, "nosuch"):
            doc.blocks(path="nosuch")
        with self.assertRaises(TypeError):
            libhcl.parse("{}", syntax="json").blocks()

    def test_more_edits(self):
        doc = libhcl.parse("# one\na = 1\nb {\n  z = 0\n}\n")
        doc.insert("c = 3\n", "a", before=True)
        doc.move("a", into="b")
        doc.set_comment("c", "three")
        doc.set_comment("c", "3", line=True)
        self.assertEqual(doc.text, "# three\nc = 3 # 3\nb {\n  z = 0\n  # one\n  a = 1\n}\n")
        self.assertEqual(doc.comments("b.a"), (["# one"], []))
        doc.append("d=4\n")
        doc.format()
        self.assertTrue(doc.text.endswith("d = 4\n"), doc.text)

    def test_an_edit_that_fails_changes_nothing(self):
        doc = libhcl.parse(self.TEXT)
        for edit in (lambda: doc.set("nosuch.x", 1), lambda: doc.append("a = \n"), lambda: doc.remove("x"), lambda: doc.rename("service.web", "a b")):
            with self.assertRaises(HclError):
                edit()
        self.assertEqual(doc.text, self.TEXT)

    def test_json_has_places_and_no_edits(self):
        text = '{"service": [{"web": {"port": 80, "é": [1, {"x y": null}]}}, {"db": {}}]}'
        doc = libhcl.parse(text, filename="main.hcl.json")
        self.assertEqual(doc.to_dict(), {"service": [{"web": {"port": 80, "é": [1, {"x y": None}]}}, {"db": {}}]})
        place = doc.range_of("service.web.port")
        self.assertEqual(text.encode()[place.start_byte : place.end_byte], b'"port": 80')
        place = doc.range_of('service[0].web["é"][1]["x y"]')
        self.assertEqual(text.encode()[place.start_byte : place.end_byte], b'"x y": null')
        self.assertEqual(doc.get("service.web"), {"port": 80, "é": [1, {"x y": None}]})
        self.assertEqual(doc.source_of("service[1]"), '{"db": {}}')
        self.assertEqual(len(doc.ranges_of("service.*")), 2)
        self.assertEqual(doc.ranges_of("service.nosuch"), [])
        with self.assertRaisesRegex(HclError, "nosuch"):
            doc.range_of("service.nosuch")
        for edit in (lambda: doc.set("a", 1), lambda: doc.remove("service"), lambda: doc.append("a = 1"), doc.format, lambda: doc.comments("service")):
            with self.assertRaises(TypeError):
                edit()
        self.assertEqual(doc.text, text)

    def test_threads_share_a_document(self):
        doc = libhcl.parse("".join(f"n{at} = 0\n" for at in range(8)))
        wrong = []

        def work(at: int) -> None:
            for n in range(1, 41):
                doc.set(f"n{at}", n)
                if doc.get(f"n{at}") != n or len(doc.to_dict()) != 8:
                    wrong.append((at, n))

        threads = [threading.Thread(target=work, args=(at,)) for at in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(set(doc.to_dict().values()), {40})


class Evaluation(unittest.TestCase):
    def test_values_of_all_kinds(self):
        for value in (None, True, 0, -1, 2**200, 1.5, "é", [1, "a"], {"a": {"b": []}}, []):
            self.assertEqual(libhcl.evaluate("x", x=value), value)
        self.assertEqual(libhcl.evaluate("x", x={3, 1}), [1, 3])
        self.assertEqual(libhcl.evaluate("x", x=(1, 2)), [1, 2])
        self.assertEqual(libhcl.evaluate("x + 0.2", x=decimal.Decimal("0.1"), numbers="decimal"), decimal.Decimal("0.3"))
        self.assertEqual(libhcl.evaluate("x", x=datetime.date(2026, 1, 2)), "2026-01-02")

        class Index:
            def __index__(self):
                return 2**70

        self.assertEqual(libhcl.evaluate("[x]", x=Index()), [2**70])
        self.assertEqual(libhcl.dumps({"a": Index()}), f"a = {2**70}\n")
        self.assertEqual(libhcl.evaluate("x", x=datetime.datetime(2026, 1, 2, 3)), "2026-01-02T03:00:00")
        self.assertEqual(libhcl.evaluate("x", x=datetime.time(3, 4)), "03:04:00")

    def test_names_of_options_are_taken_from_a_mapping(self):
        self.assertEqual(libhcl.evaluate("timeout + files", {"timeout": 1, "files": 2}), 3)

    def test_types_are_texts(self):
        self.assertEqual(libhcl.evaluate("[type(1), type([])]"), ["number", "tuple([])"])

    def test_unknown_sensitive_capsule(self):
        self.assertEqual(libhcl.evaluate("x + 1", x=Unknown("number")), Unknown("number"))
        self.assertEqual(libhcl.evaluate('"${x}!"', x=Sensitive("a")), Sensitive("a!"))
        self.assertNotIn("a!", repr(Sensitive("a!")))
        self.assertEqual(libhcl.compile('x == "a"')(x=Sensitive("b")), Sensitive(False))
        for one in (Sensitive(False), Sensitive(True), Unknown("bool")):
            with self.assertRaisesRegex(TypeError, "neither true nor false"):
                bool(one)
        thing = object()
        seen = []
        libhcl.evaluate("f(x)", x=Capsule(thing), functions={"f": lambda one: seen.append(one)})
        self.assertIs(seen[0].value, thing)

    def test_programs(self):
        program = libhcl.compile("a.b > 1 ? x : a.c")
        self.assertEqual(program.names, ("a", "x"))
        self.assertEqual(program(a={"b": 2}, x="y"), "y")
        with self.assertRaisesRegex(TypeError, "no variable 'z'|no variable \"z\""):
            program(z=1)
        with self.assertRaises(HclError):
            libhcl.compile("nosuch(1)")

    def test_programs_take_a_mapping(self):
        program = libhcl.compile("a + b")
        self.assertEqual((program({"a": 1}, b=2), program({"a": 1, "b": 2}), program(a=1, b=2)), (3, 3, 3))
        self.assertEqual(libhcl.compile("variables")(variables=1), 1)
        with self.assertRaisesRegex(TypeError, "variables .*list"):
            program([1])

    def test_programs_of_what_loads_gives(self):
        text = 'rule "a" {\n  admit = user.nme == "x"\n}\nrule "b" {\n  admit = true\n  sizes = [1, { a = null }]\n  text = <<E\n${user.nme}\nE\n}\n'
        rules = {name: block for one in libhcl.loads(text, filename="rules.hcl")["rule"] for name, block in one.items()}
        self.assertIs(libhcl.compile(rules["b"]["admit"])(), True)
        self.assertEqual(libhcl.compile(rules["b"]["sizes"])(), [1, {"a": None}])
        self.assertEqual(libhcl.compile(rules["b"]["text"])(user={"nme": "x"}), "x\n")
        admit = rules["a"]["admit"]
        self.assertEqual(str(admit.range), "rules.hcl:2,11")
        program = libhcl.compile(admit)
        for call in (program, pickle.loads(pickle.dumps(program)), lambda user: libhcl.evaluate(admit, user=user)):
            with self.assertRaises(HclError) as caught:
                call(user={"name": "x"})
            self.assertEqual(repr(caught.exception.diagnostics[0].range), 'Range("rules.hcl", 2:15 to 2:19)')
        self.assertIsNone(Expression("a").range)
        for again in (pickle.loads(pickle.dumps(admit)), copy.deepcopy(admit)):
            self.assertEqual((again, again.range), (admit, admit.range))

    def test_functions_by_their_annotations(self):
        def repeat(text: str, n: int = 2, *rest: str) -> str:
            return text * n + "".join(rest)

        def total(numbers: List[int], by: Optional[Dict[str, int]] = None) -> int:
            return sum(numbers) + sum((by or {}).values())

        functions = {"repeat": repeat, "total": total}
        self.assertEqual(libhcl.evaluate('repeat(1)', functions=functions), "11")
        self.assertEqual(libhcl.evaluate('repeat("a", 3, "b")', functions=functions), "aaab")
        self.assertEqual(libhcl.evaluate('total(["1", 2], { a = 3 })', functions=functions), 6)
        for wrong in ("total(1)", "repeat()", 'total([], { a = "x" })', "total([], null, 1)"):
            with self.assertRaises(HclError, msg=wrong):
                libhcl.evaluate(wrong, functions=functions)

    def test_arguments_are_what_annotations_say(self):
        seen = []

        def take(
            exact: decimal.Decimal,
            approximate: float,
            pair: Tuple[int, str],
            unique: Set[int],
            server: "Server",
            color: "Color",
            day: datetime.date,
            when: Optional[datetime.datetime] = None,
            *rest: float,
        ) -> bool:
            seen.extend([exact, approximate, pair, unique, server, color, day, when, rest])
            return True

        call = 'take(0.1, 1, [1, 2], [3, 3], { port = 80, tags = { a = 1 } }, "red", "2026-01-02", "2026-01-02T03:04:05Z", 1)'
        self.assertTrue(libhcl.evaluate(call, functions={"take": take}))
        expected = [
            decimal.Decimal("0.1"),
            1.0,
            (1, "2"),
            {3},
            Server(80, None, {"a": "1"}),
            Color.RED,
            datetime.date(2026, 1, 2),
            datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc),
            (1.0,),
        ]
        self.assertEqual(seen, expected)
        self.assertEqual(list(map(type, seen)), list(map(type, expected)))

    def test_arguments_that_annotations_refuse(self):
        def whole(n: int) -> int:
            return n

        def color(one: "Color", *more: int) -> str:
            return one.name

        def level(one: Literal["low", "high"]) -> str:
            return one

        functions = {"whole": whole, "color": color, "level": level}
        self.assertEqual(libhcl.evaluate('[whole("3"), color("blue"), level("low")]', functions=functions), [3, "BLUE", "low"])
        for wrong, column, said in (
            ("whole(1.5)", 7, "an int is wanted, and 1.5 is given"),
            ('color("grey")', 8, "'grey' is not a valid Color"),
            ('color("red", 1, 0.5)', 17, "an int is wanted"),
            ('level("mid")', 8, "one of 'low', 'high' is wanted"),
            ("whole(null)", 7, "null"),
        ):
            with self.assertRaises(HclError) as caught:
                libhcl.evaluate(wrong, functions=functions)
            self.assertIn(said, caught.exception.diagnostics[0].detail)
            self.assertEqual(caught.exception.diagnostics[0].range.start_column, column, wrong)

    def test_mistakes_of_arguments_name_the_parameter(self):
        def quota(user: str, n: int = 1, *rest: int) -> int:
            return n

        def plain(user: str, n: int = 1) -> int:
            return n

        for call, column, said in (
            ('quota("ann", "x")', 15, 'Invalid value for "n" parameter: a number is required.'),
            ('quota("ann", 1.5)', 14, 'Invalid value for "n" parameter: an int is wanted, and 1.5 is given.'),
            ('quota("ann", 1, 2, "x")', 21, 'Invalid value for "rest" parameter: a number is required.'),
            ('plain("ann", 1, 2)', 17, 'The function "plain" takes 1 to 2 arguments, but the call has 3. Leave out the rest.'),
        ):
            with self.assertRaises(HclError) as caught:
                libhcl.evaluate(call, functions={"quota": quota, "plain": plain})
            (found,) = caught.exception.diagnostics
            self.assertEqual((found.range.start_column, found.detail), (column, said))
        with self.assertRaisesRegex(ValueError, "'a b'|\"a b\""):
            libhcl.evaluate("1", functions={"a b": len})

    def test_exceptions_of_functions_are_diagnostics(self):
        def fails() -> int:
            raise KeyError("gone")

        with self.assertRaises(HclError) as caught:
            libhcl.evaluate("1 + fails()", functions={"fails": fails})
        self.assertIn("KeyError: 'gone'", str(caught.exception))
        self.assertEqual(caught.exception.diagnostics[0].range.start_column, 5)
        self.assertEqual(libhcl.evaluate("try(fails(), 2)", functions={"fails": fails}), 2)

    def test_interrupts_of_functions_end_the_evaluation(self):
        def stop() -> int:
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            libhcl.evaluate("try(stop(), 2)", functions={"stop": stop})

    def test_the_outside_is_denied_unless_allowed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "x.txt")
            path.write_text("inside")
            expression = f'file("{path}")'
            with self.assertRaises(HclError):
                libhcl.evaluate(expression)
            self.assertEqual(libhcl.evaluate(expression, files=folder), "inside")
            with self.assertRaises(HclError):
                libhcl.evaluate('file("/etc/passwd")', files=[folder])
        with self.assertRaises(HclError):
            libhcl.evaluate("timestamp()")
        self.assertRegex(libhcl.evaluate("timestamp()", allow="time"), "^20")
        self.assertRegex(libhcl.evaluate("timestamp()", allow=["clock"]), "^20")
        for call, cure in (("timestamp()", 'allow="clock"'), ("uuid()", 'allow="random"'), ('file("x")', 'files="DIR"')):
            with self.assertRaises(HclError) as caught:
                libhcl.evaluate(call)
            self.assertIn(f"It works with {cure}.", caught.exception.diagnostics[0].detail)
            self.assertNotIn("--allow", str(caught.exception))
        with self.assertRaises(ValueError):
            libhcl.evaluate("1", allow=["everything"])

    def test_limits(self):
        start = time.monotonic()
        with self.assertRaises(HclError) as caught:
            libhcl.evaluate(BOMB, timeout=0.2)
        self.assertLess(time.monotonic() - start, 5)
        self.assertEqual(caught.exception.diagnostics[-1].code, "limit.deadline")
        with self.assertRaises(HclError) as caught:
            libhcl.evaluate(BOMB, max_steps=100)
        self.assertEqual(caught.exception.diagnostics[-1].code, "limit.steps")

    def test_ctrl_c_ends_an_evaluation(self):
        # A shell leaves the signal ignored for a command in the background.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            libhcl.evaluate(BOMB, max_steps=2**62, timeout=30)
        self.assertLess(time.monotonic() - start, 10)
        timer.join()

    def test_threads_run_while_another_evaluates(self):
        counted = []
        done = threading.Event()

        def work() -> None:
            with contextlib.suppress(HclError):
                libhcl.evaluate(BOMB, timeout=0.5)
            done.set()

        thread = threading.Thread(target=work)
        thread.start()
        while not done.is_set():
            counted.append(1)
            time.sleep(0.001)
        thread.join()
        self.assertGreater(len(counted), 20)

    def test_threads_share_a_program(self):
        program = libhcl.compile("[for i in range(n) : i * i]")
        results = {}

        def work(n: int) -> None:
            results[n] = [program(n=n) for _ in range(50)][-1]

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, {n: [i * i for i in range(n)] for n in range(8)})


class Writing(unittest.TestCase):
    def test_canonical_form(self):
        data = {
            "a": 1,
            "longer": [1, "two", None],
            "o": {"k": True, "x y": [{"n": 1.5}]},
            "server": [{"web": Block(port=80, inner=[Block()])}, {"db": Block(host=Expression("var.host"))}],
        }
        text = libhcl.dumps(data)
        self.assertEqual(libhcl.format(text), text)
        self.assertEqual(libhcl.loads(text), data)
        self.assertIn('server "web" {\n  port = 80\n', text)
        self.assertIn("longer = [1, \"two\", null]\n", text)

    def test_what_cannot_be_written_is_refused(self):
        for wrong in (
            {"a b": 1},
            {"a": Unknown()},
            {"a": Sensitive(1)},
            {"a": Capsule(1)},
            {"a": Expression("1\nb = 2")},
            {"a": Expression("")},
            {"a": [Expression("1 # one")]},
            {"a": Expression("1 }\nb {")},
            {"a": Expression("1 }")},
        ):
            with self.assertRaises(ValueError, msg=repr(wrong)):
                libhcl.dumps(wrong)

    def test_expressions_are_written_as_they_are(self):
        for text in ("var.a", "f(a, # why\n  b)", "<<EOT\n  a # ${b}\nEOT", "x ? 1 : 2"):
            data = {"a": Expression(text), "b": [Expression(text)], "c": {"d": Expression(text)}}
            self.assertEqual([type(one) for one in libhcl.loads(libhcl.dumps(data))["b"]], [Expression])
            self.assertEqual(libhcl.loads(libhcl.dumps(data))["a"].split(), text.split())

    def test_texts_are_written_as_they_are(self):
        for text in ("${a}", "%{ if", "$${", '"', "\\", "\n", "\0", "\x7f", "é", "𝒳", "$", "%%{"):
            self.assertEqual(libhcl.loads(libhcl.dumps({"a": text, "b": {text: 1}})), {"a": text, "b": {text: 1}})


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Server:
    port: int
    host: Optional[str] = None
    tags: Dict[str, str] = field(default_factory=dict)


@dataclass
class Config:
    name: str
    server: Dict[str, Server]
    rule: List[Server] = field(default_factory=list)


@dataclass
class JsonConfig:
    name: str
    server: Dict[str, Server]
    rule: List[Server]


class Options(typing.TypedDict):
    a: int
    b: List[float]


@dataclass
class Even:
    n: int

    def __post_init__(self):
        if self.n % 2:
            raise ValueError("an even number is wanted")


class Decoding(unittest.TestCase):
    def test_dataclasses(self):
        text = 'name = "x"\nserver "web" {\n  port = 80\n  tags = { a = "b" }\n}\nserver "db" {\n  port = 1\n}\nrule {\n  port = 2\n}\n'
        expected = Config("x", {"web": Server(80, None, {"a": "b"}), "db": Server(1)}, [Server(2)])
        self.assertEqual(libhcl.decode(Config, text), expected)
        self.assertEqual(libhcl.decode(Config, libhcl.parse(text)), expected)

    def test_typed_dicts_and_plain_classes(self):
        self.assertEqual(libhcl.decode(Options, "a = 1\nb = [1, 2.5]\n"), {"a": 1, "b": [1.0, 2.5]})

        class Plain:
            a: int
            b: str = "x"

            def __init__(self, **fields):
                self.fields = fields

        self.assertEqual(libhcl.decode(Plain, "a = 1").fields, {"a": 1})

    def test_enumerations_dates_and_paths(self):
        Port = NewType("Port", int)

        @dataclass
        class Job:
            color: Color
            day: datetime.date
            at: datetime.datetime
            folder: pathlib.Path
            port: Port
            any: object = None
            pair: tuple = ()

        text = 'color = "red"\nday = "2026-01-02"\nat = "2026-01-02T03:04:05Z"\nfolder = "a/b"\nport = 80\npair = [1, "x"]\n'
        with unittest.mock.patch.dict(globals(), {"Job": Job, "Port": Port}):
            job = libhcl.decode(Job, text)
            self.assertEqual((job.color, job.day, job.folder, job.port), (Color.RED, datetime.date(2026, 1, 2), pathlib.Path("a/b"), 80))
            self.assertEqual((job.at.hour, job.at.utcoffset(), job.pair), (3, datetime.timedelta(0), (1, "x")))
            for old, new, said in (('"red"', '"grey"', "'red', 'blue'"), ("2026-01-02\"\nat", "soon\"\nat", "no date"), ('"a/b"', "1", "text")):
                with self.assertRaises(HclError) as caught:
                    libhcl.decode(Job, text.replace(old, new))
                self.assertIn(said, caught.exception.diagnostics[0].detail)
                self.assertIsNotNone(caught.exception.diagnostics[0].range)

    def test_what_a_class_refuses_is_told_at_its_place(self):
        @dataclass
        class All:
            even: List[Even]

        with unittest.mock.patch.dict(globals(), {"Even": Even}):
            with self.assertRaises(HclError) as caught:
                libhcl.decode(All, "even {\n  n = 2\n}\neven {\n  n = 3\n}\n")
        found = caught.exception.diagnostics[0]
        self.assertEqual(found.range.start_line, 4)
        self.assertIn("Even refuses the values: an even number is wanted.", found.detail)

    def test_places_of_json(self):
        text = '{"name": "x",\n "server": {"web": {"port": 80}},\n "rule": [{"port": 1}, {"port": "2"}]}'
        with self.assertRaises(HclError) as caught:
            libhcl.decode(JsonConfig, text, syntax="json")
        self.assertEqual(str(caught.exception.diagnostics[0].range), "<text>:3,25")

    def test_what_does_not_fit_is_told_at_its_place(self):
        for text, place, said in (
            ('name = 1\nserver "a" {\n  port = 1\n}\n', (1, 1), "str is wanted"),
            ('name = "x"\nserver "web" {\n  port = "80"\n}\n', (3, 3), "int is wanted"),
            ('name = "x"\nserver "web" {\n  prot = 80\n}\n', (3, 3), "'prot' is not expected"),
            ('name = "x"\nserver "web" {\n}\n', (2, 1), "'port' is missing"),
            ('name = var.x\nserver "web" {\n  port = 80\n}\n', (1, 1), "depends on names"),
        ):
            with self.assertRaises(HclError) as caught:
                libhcl.decode(Config, text)
            at = caught.exception.diagnostics[0].range
            self.assertEqual((at.start_line, at.start_column), place)
            self.assertIn(said, caught.exception.diagnostics[0].detail)

    def test_blocks_with_two_labels(self):
        @dataclass
        class Resource:
            count: int = 1

        @dataclass
        class Terraform:
            resource: Dict[str, Dict[str, Resource]]

        text = 'resource "a" "x" {\n  count = 3\n}\nresource "a" "y" {}\nresource "b" "x" {}\n'
        expected = Terraform({"a": {"x": Resource(3), "y": Resource()}, "b": {"x": Resource()}})
        self.assertEqual(libhcl.decode(Terraform, text), expected)
        data = '{"resource": [{"a": {"x": {"count": 3}}}, {"a": {"y": {}}, "b": {"x": {}}}]}'
        self.assertEqual(libhcl.decode(Terraform, data, syntax="json"), expected)

    def test_several_blocks_of_one_label(self):
        @dataclass
        class Rules:
            rule: Dict[str, List[Server]]

        text = 'rule "a" {\n  port = 1\n}\nrule "b" {\n  port = 2\n}\nrule "a" {\n  port = 3\n}\n'
        self.assertEqual(libhcl.decode(Rules, text), Rules({"a": [Server(1), Server(3)], "b": [Server(2)]}))

    def test_numbers_are_as_the_field_wants_them(self):
        cls = make_dataclass("Numbers", [("a", decimal.Decimal), ("b", float), ("c", object), ("d", List[decimal.Decimal])])
        text = "a = 0.1234567890123456789\nb = 0.5\nc = 0.5\nd = [1, 0.1 + 0.2]\n"
        exact = decimal.Decimal
        for numbers, loaded in (("float", float), ("decimal", exact)):
            made = libhcl.decode(cls, text, numbers=numbers)
            self.assertEqual((made.a, made.b, made.d), (exact("0.1234567890123456789"), 0.5, [exact(1), exact("0.3")]))
            self.assertEqual((type(made.b), type(made.c), type(made.d[0])), (float, loaded, exact))

    def test_expressions_stay_as_they_are_written(self):
        @dataclass
        class Rule:
            admit: Expression
            port: int
            more: List[Expression] = field(default_factory=list)
            other: Union[bool, Expression] = True
            none: Optional[Expression] = None

        text = "admit = true\nport = base + 1\nmore = [request.x, 1]\nother = request.y\nnone = null\n"
        rule = libhcl.decode(Rule, text, filename="rules.hcl", variables={"base": 1})
        self.assertEqual(rule, Rule("true", 2, ["request.x", "1"], "request.y", None))
        self.assertTrue(all(type(one) is Expression for one in (rule.admit, *rule.more, rule.other)))
        self.assertEqual(str(rule.more[0].range), "rules.hcl:3,9")
        data = '{"admit": "${a.b}", "port": 1, "more": [true]}'
        rule = libhcl.decode(Rule, data, syntax="json")
        self.assertEqual((rule.admit, rule.more), ('"${a.b}"', ["true"]))
        for wrong in ("admit {}\nport = 1\n", "admit = 1\nport = 1\nmore = [for x in [1] : x]\n"):
            with self.assertRaisesRegex(HclError, "[Ee]xpressions? (is|are) wanted"):
                libhcl.decode(Rule, wrong)

    def test_functions_need_no_variables(self):
        cls = make_dataclass("Counted", [("n", int), ("loaded", object, None)])
        made = libhcl.decode(cls, 'n = length([for x in ["a"] : x])\nloaded = upper("x")\n')
        self.assertEqual((made.n, made.loaded), (1, Expression('upper("x")')))
        document = libhcl.parse("n = base * 2\n", filename="n.hcl")
        self.assertEqual(libhcl.decode(cls, document, variables={"base": 2}).n, 4)
        with self.assertRaisesRegex(HclError, "n.hcl:1:1(.|\\s)*depends on\\s+names"):
            libhcl.decode(cls, document)
        with self.assertRaisesRegex(TypeError, "filename"):
            libhcl.decode(cls, document, filename="m.hcl")

    def test_classes_that_are_made_of_text(self):
        class Size:
            def __init__(self, text):
                if not text.endswith("M"):
                    raise ValueError("a size ends with M")
                self.n = int(text[:-1])

        class Port(int):
            pass

        types = [("id", uuid.UUID), ("ip", ipaddress.IPv4Address), ("part", fractions.Fraction), ("size", Size), ("port", Port)]
        cls = make_dataclass("Scalars", types)
        made = libhcl.decode(cls, f'id = "{uuid.NAMESPACE_DNS}"\nip = "1.2.3.4"\npart = "1/3"\nsize = "4M"\nport = 80\n')
        self.assertEqual((made.id, made.ip), (uuid.NAMESPACE_DNS, ipaddress.IPv4Address("1.2.3.4")))
        self.assertEqual((made.part, made.size.n, type(made.port)), (fractions.Fraction(1, 3), 4, Port))
        with self.assertRaises(HclError) as caught:
            libhcl.decode(cls, 'id = "1"\nip = "1.2.3"\npart = "1/0"\nsize = "4"\nport = "x"\n')
        found = caught.exception.diagnostics
        self.assertEqual([one.range.start_line for one in found], [1, 2, 3, 4, 5])
        self.assertEqual(found[3].detail, "The text is no Size: a size ends with M.")
        with self.assertRaisesRegex(HclError, "A text for UUID is wanted, and 1 is given"):
            libhcl.decode(cls, "id = 1")

    def test_more_classes_and_annotations(self):
        class Named(typing.NamedTuple):
            a: int
            color: Dict[Color, int] = {}

        self.assertEqual(libhcl.decode(Named, "a = 1\ncolor = { red = 2 }\n"), Named(1, {Color.RED: 2}))
        with self.assertRaisesRegex(HclError, r"Did you mean\s+'red'"):
            libhcl.decode(Named, "a = 1\ncolor = { rde = 2 }\n")
        cls = make_dataclass("Marked", [("a", Sensitive), ("b", typing.Iterable[int]), ("c", typing.Tuple[int, str])])
        made = libhcl.decode(cls, 'a = sensitive("x")\nb = [1]\nc = [1, "x"]\n')
        self.assertEqual((made.a, made.b, made.c), (Sensitive("x"), [1], (1, "x")))


    def test_names_without_brackets_are_of_anything(self):
        for ty, value in [
            (List, [1, "a"]),
            (list, [1, "a"]),
            (Sequence, [1, "a"]),
            (Tuple, (1, "a")),
            (Set, {1, "a"}),
            (set, {1, "a"}),
        ]:
            cls = make_dataclass("Bare", [("a", ty)])
            self.assertEqual(libhcl.decode(cls, 'a = [1, "a"]').a, value, ty)
        cls = make_dataclass("Bare", [("a", Dict)])
        self.assertEqual(libhcl.decode(cls, "a = { b = 1 }").a, {"b": 1})

    def test_what_a_constructor_takes_is_decoded(self):
        @dataclass
        class Server:
            port: int
            base: InitVar[int]
            kind: ClassVar[str] = "server"
            tags: List[str] = field(default_factory=list)
            url: str = field(init=False)

            def __post_init__(self, base):
                self.url = f"http://localhost:{base + self.port}"

        self.assertEqual(libhcl.decode(Server, "port = 80\nbase = 8000").url, "http://localhost:8080")
        with self.assertRaisesRegex(HclError, "'base' is missing"):
            libhcl.decode(Server, "port = 80")
        with self.assertRaisesRegex(HclError, "'kind' is not expected here"):
            libhcl.decode(Server, 'port = 80\nbase = 1\nkind = "a"')


class DecodingMistakes(unittest.TestCase):
    """Mistakes of texts are told all together, at their places; those of classes are TypeErrors."""

    def told(self, cls, text, **options):
        """The places and details of what is wrong with a text."""
        with self.assertRaises(HclError) as caught:
            libhcl.decode(cls, text, **options)
        return [(one.range.start_line, one.range.start_column, one.detail) for one in caught.exception.diagnostics]

    def test_a_wrong_value_is_an_error_of_the_text(self):
        @dataclass
        class Exact:
            a: decimal.Decimal
            b: Optional[decimal.Decimal] = None
            c: List[decimal.Decimal] = field(default_factory=list)

        for wrong in ('"x"', "[1]", "null", "true", '"1.5"', "{}"):
            for name, column in (("a", 1), ("b", 1), ("c", 6)):
                if (name, wrong) == ("b", "null"):
                    continue
                value = f"[{wrong}]" if name == "c" else wrong
                text = "".join(f"{one} = {value if one == name else 1}\n" for one in ("a", "b") if one == name or one == "a")
                text += f"c = {value}\n" if name == "c" else ""
                (told,) = self.told(Exact, text)
                self.assertEqual(told[:2], (text[: text.index(f"{name} =")].count("\n") + 1, column), text)
                self.assertIn("Decimal", told[2])

    def test_all_mistakes_are_told_in_the_order_of_the_text(self):
        @dataclass
        class Inner:
            port: int
            host: str

        @dataclass
        class Outer:
            a: int
            b: List[int]
            inner: Inner

        text = 'b = [1, "2", 3, null]\na = "x"\ninner {\n  port = "80"\n  hots = "a"\n}\nc = 1\n'
        told = self.told(Outer, text)
        self.assertEqual([one[:2] for one in told], [(1, 9), (1, 17), (2, 1), (4, 3), (5, 3), (7, 1)])
        self.assertEqual(told[0][2], "A value of type int is wanted, and the text '2' is given.")
        self.assertEqual(told[4][2], "The name 'hots' is not expected here; the names are port, host. Did you mean 'host'?")

    def test_missing_fields_have_the_place_of_the_block_or_the_start_of_the_text(self):
        with self.assertRaises(HclError) as caught:
            libhcl.decode(Server, "", filename="service.hcl")
        self.assertEqual(str(caught.exception.diagnostics[0].range), "service.hcl:1,1")
        self.assertIn("service.hcl:1:1", str(caught.exception))
        self.assertEqual(self.told(Config, 'name = "x"\nserver "web" {}\n'), [(2, 1, "'port' is missing.")])

    def test_what_a_class_refuses_has_a_place_at_the_top_too(self):
        self.assertEqual(self.told(Even, "# one\nn = 3\n"), [(1, 1, "Even refuses the values: an even number is wanted.")])

    def test_annotations_that_are_not_understood(self):
        class Empty:
            a: int

        for ty in (datetime.timedelta, bytes, re.Pattern, re.Pattern[str], "nosuch.Class", complex, Empty, Set[List[int]], Dict[int, str], typing.Callable[[], int]):
            cls = make_dataclass("Wrong", [("a", ty)])
            for text in ('a = "x"', "a = 1", "b = "):
                with self.assertRaisesRegex(TypeError, r"Wrong(\.a)?: ") as caught:
                    libhcl.decode(cls, text)
                self.assertNotIsInstance(caught.exception, HclError)
        for cls in (Empty, int, List[int]):
            with self.assertRaisesRegex(TypeError, "to decode by"):
                libhcl.decode(cls, "a = 1")

        class Pair:
            def __init__(self, one):
                raise TypeError("a pair is wanted")

        with self.assertRaisesRegex(TypeError, r"Pairs\.p: .*Pair.*a pair is wanted"):
            libhcl.decode(make_dataclass("Pairs", [("p", Pair)]), 'p = "x"')

    def test_literals_are_of_their_type(self):
        cls = make_dataclass("Chosen", [("a", Literal[1, "info", "debug", False])])
        for text, value in (("1", 1), ('"info"', "info"), ("false", False)):
            made = libhcl.decode(cls, f"a = {text}").a
            self.assertEqual((type(made), made), (type(value), value))
        for text, said in (
            ("true", "One of 1, 'info', 'debug', false is wanted, and true is given."),
            ("0", "and 0 is given."),
            ("1.5", "and 1.5 is given."),
            ('"inof"', "and the text 'inof' is given. Did you mean 'info'?"),
        ):
            self.assertTrue(self.told(cls, f"a = {text}")[0][2].endswith(said), text)

    def test_unions_say_all_that_is_wanted(self):
        cls = make_dataclass("Any", [("a", Union[int, str, List[int], None])])
        self.assertEqual(
            self.told(cls, "a = true"),
            [(1, 1, "A value of type int or a value of type str or a list or null is wanted, and true is given.")],
        )
        # An element of the list that fits says more.
        self.assertEqual(self.told(cls, "a = [true]"), [(1, 6, "A value of type int is wanted, and true is given.")])

    def test_elements_of_sets(self):
        cls = make_dataclass("Unique", [("a", Set[object])])
        self.assertEqual(libhcl.decode(cls, 'a = [1, 1, "x"]').a, {1, "x"})
        self.assertEqual(self.told(cls, "a = [1, [1]]")[0][:2], (1, 9))

    def test_doubled_blocks_point_at_the_second(self):
        @dataclass
        class One:
            server: Server

        @dataclass
        class Labelled:
            server: Dict[str, Server]

        text = 'server {\n  port = 1\n}\nserver {\n  port = 2\n}\n'
        self.assertEqual(self.told(One, text), [(4, 1, "One block is wanted, and 2 are given.")])
        self.assertEqual(
            self.told(Labelled, text.replace("server", 'server "a"')), [(4, 1, "There are several blocks with the label 'a'.")]
        )
        self.assertEqual(
            self.told(One, 'server "a" {\n  port = 1\n}\n'), [(1, 8, "The block has the label 'a', and none is expected here.")]
        )
        self.assertEqual(
            self.told(Labelled, "server {\n  port = 1\n}\n"), [(1, 1, "A block with a label is wanted, and this one has none.")]
        )
        self.assertEqual(
            self.told(Labelled, 'server "a" "b" {\n  port = 1\n}\n'), [(1, 12, "The block has the label 'b', and none is expected here.")]
        )

    def test_an_attribute_and_blocks_of_one_name(self):
        self.assertEqual(self.told(Config, 'name = "x"\nserver = {}\nserver "a" {}\n')[0][0], 3)

    def test_deep_texts(self):
        cls = make_dataclass("Deep", [("a", object)])
        for text in ("a {\n" * 450 + "}\n" * 450, "a = [for x in [1] : " + "[" * 450 + "]" * 450 + "]"):
            with contextlib.suppress(HclError):
                libhcl.decode(cls, text)
        cls = make_dataclass("Deep", [("a", List[object])])
        with contextlib.suppress(HclError):
            libhcl.decode(cls, "a = [for x in [1] : " + "[" * 450 + "0.5" + "]" * 450 + "]")

    def test_limits_end_the_work(self):
        cls = make_dataclass("Two", [("a", int), ("b", int), ("c", int)])
        text = "a = length(range(1000))\nb = length(range(1000))\nc = 1\n"
        self.assertEqual(libhcl.decode(cls, text).a, 1000)
        with self.assertRaises(HclError) as caught:
            libhcl.decode(cls, text, max_steps=1500)
        (found,) = caught.exception.diagnostics
        self.assertEqual((found.code, found.range.start_line), ("limit.steps", 2))


class Modules(unittest.TestCase):
    FILES = {
        "main.tf": 'variable "n" {\n  type = number\n}\nlocals {\n  double = var.n * 2\n}\nmodule "c" {\n  source = "./c"\n  x = local.double\n}\n'
        'output "o" {\n  value = module.c.y\n}\n',
        "c/main.tf": 'variable "x" {}\noutput "y" {\n  value = "got ${var.x}"\n}\n',
    }

    def test_values(self):
        module = Module(self.FILES, var={"n": 4})
        self.assertEqual(module.local.double, 8)
        self.assertEqual(module.output["o"], "got 8")
        self.assertEqual(list(module.output), ["o"])
        self.assertEqual(module.evaluate("var.n + 1"), 5)
        self.assertEqual(module.check(), [])
        self.assertIn("<table>", module.local._repr_html_())
        self.assertIn("<h4>Outputs</h4>", module._repr_html_())
        broken = Module({"main.tf": 'locals {\n  a = 1\n  b = "<" + 1\n}\n'})
        self.assertIn("<code>1</code>", broken.local._repr_html_())
        self.assertIn("&quot;&lt;&quot; + 1", broken.local._repr_html_())
        with self.assertRaises(AttributeError):
            module.local.nosuch
        with self.assertRaises(KeyError):
            module.local["nosuch"]
        self.assertEqual((dict(module.output), len(module.output), dict(module.local)), ({"o": "got 8"}, 1, {"double": 8}))
        self.assertEqual((list(module.var.items()), "n" in module.var, module.var.get("m")), ([("n", 4)], True, None))
        with self.assertRaises(HclError):
            Module(self.FILES)

    def test_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self.FILES.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            self.assertEqual(Module(folder, var={"n": 1}).output.o, "got 2")
        missing = os.path.join(folder, "nosuch")
        for call in (lambda: Module(missing), lambda: libhcl.evaluate("1", files=missing)):
            with self.assertRaises(FileNotFoundError) as caught:
                call()
            self.assertEqual((caught.exception.errno, caught.exception.filename), (errno.ENOENT, missing))

    def test_a_folder_has_its_files_whatever_else_is_allowed(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "m").mkdir()
            pathlib.Path(folder, "m", "x.txt").write_text("own")
            pathlib.Path(folder, "other.txt").write_text("other")
            module = os.path.join(folder, "m")
            for options in ({}, {"allow": "time"}, {"files": folder}, {"files": [tempfile.gettempdir()], "allow": ["env"]}):
                self.assertEqual(Module(module, **options).evaluate('file("${path.module}/x.txt")'), "own", options)
            self.assertEqual(Module(module, files=folder).evaluate('file("../other.txt")'), "other")
            with self.assertRaises(HclError):
                Module(module, allow="time").evaluate('file("../other.txt")')


class Crossing(unittest.TestCase):
    """What goes to other processes, and copies."""

    def test_errors(self):
        with self.assertRaises(HclError) as caught:
            libhcl.loads("a = \nb = &\n", filename="x.hcl")
        error = caught.exception
        for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
            self.assertIs(type(again), HclError)
            self.assertEqual(str(again), str(error))
            for one, other in zip(again.diagnostics, error.diagnostics):
                self.assertEqual((repr(one), str(one), one.code, one.range), (repr(other), str(other), other.code, other.range))
            self.assertEqual(len(again.diagnostics), len(error.diagnostics))

    def test_values(self):
        for value in (Unknown("list(string)"), Sensitive({"a": 1}), Expression("var.x"), Block(a=[Block()])):
            again = pickle.loads(pickle.dumps(value))
            self.assertEqual(again, value)
            self.assertIs(type(again), type(value))

    def test_programs(self):
        program = libhcl.compile("largest(a, 2) + 0.5", functions={"largest": max}, numbers="decimal", max_steps=1000)
        again = pickle.loads(pickle.dumps(program))
        self.assertEqual(again(a=3), decimal.Decimal("3.5"))
        self.assertEqual((again.names, again.source), (program.names, program.source))
        with self.assertRaises((AttributeError, pickle.PicklingError)):
            pickle.dumps(libhcl.compile("f(a)", functions={"f": lambda a: a}))

    def test_programs_of_heredocs(self):
        program = libhcl.compile("<<EOT\nhi ${x}\nEOT\n")
        for again in (pickle.loads(pickle.dumps(program)), copy.copy(program), copy.deepcopy(program)):
            self.assertEqual(again(x=1), "hi 1\n")

    def test_options_of_programs_are_their_own(self):
        functions = {"f": len}
        program = libhcl.compile("f(x)", functions=functions, allow=iter(["time"]))
        functions.clear()
        for again in (pickle.loads(pickle.dumps(program)), copy.copy(program)):
            self.assertEqual(again(x=[1, 2]), 2)

    def test_all_protocols(self):
        with self.assertRaises(HclError) as caught:
            libhcl.loads("a = \n")
        error = caught.exception
        program = libhcl.compile("a + 1", max_steps=1000)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            crossed = lambda one: pickle.loads(pickle.dumps(one, protocol))  # noqa: E731
            for one in (error.diagnostics[0].range, Unknown("string"), Sensitive([1]), Block(a=1), Expression("a")):
                self.assertEqual(crossed(one), one)
                self.assertIs(type(crossed(one)), type(one))
            self.assertEqual(str(crossed(error).diagnostics[0]), str(error.diagnostics[0]))
            self.assertEqual(crossed(Capsule(1)).value, 1)
            self.assertEqual(crossed(program)(a=1), 2)


@dataclass
class Part:
    x: int
    shared: typing.ClassVar[int] = 5
    only_given: dataclasses.InitVar[int] = 3


class Endless(Sensitive):
    """A value with another one of its kind in it, each time it is asked."""

    value = property(lambda self: Endless(None), lambda self, value: None)


def limit_of(call: typing.Callable[[], object]) -> str:
    """The code of the limit at which the call ends."""
    try:
        call()
    except HclError as error:
        return error.diagnostics[-1].code
    return "none"


def in_process(program: str) -> "subprocess.CompletedProcess[str]":
    """The end of a program that may take its process with it."""
    program = "from libhcl import *\n" + textwrap.dedent(program)
    return subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, timeout=120)


class Bounded(unittest.TestCase):
    """The cost of one argument or text has bounds."""

    def test_sensitive_values_in_themselves(self):
        itself = Sensitive(None)
        itself.value = itself
        deep = None
        for _ in range(200_000):
            deep = Sensitive(deep)
        for value in (itself, deep, Endless(None)):
            for call in (
                lambda: libhcl.evaluate("1", x=value),
                lambda: libhcl.dumps({"a": value}),
                lambda: libhcl.parse("a = 1\n").set("a", value),
            ):
                with self.assertRaisesRegex(ValueError, "itself|deep"):
                    call()

    def test_integers_of_many_digits(self):
        began = time.monotonic()
        for exponent in (400, 5_000, 20_001, 1_000_000):
            self.assertEqual(libhcl.loads(f"a = 1e{exponent}")["a"].bit_length(), int(exponent * 3.3219280948873623) + 1)
        self.assertEqual(libhcl.evaluate("-123456789e5000"), -123456789 * 10**5000)
        self.assertEqual(libhcl.evaluate('parseint("f00000000000000000000000000000000000000000000000000001", 16)'), 0xF << 212 | 1)
        self.assertEqual(libhcl.evaluate(f'parseint("{"f" * 5000}", 16)'), 16**5000 - 1)
        self.assertLess(time.monotonic() - began, 10)
        with self.assertRaises(OverflowError):
            libhcl.loads("a = 1e1100000")

    def test_time_is_up_while_values_are_turned(self):
        shared: list = []
        for _ in range(30):
            shared = [shared, shared]
        many = "[for i in range(200) : 1e1000000 + i]"
        read_in_time = "a = [" + "1e1000000, " * 1_000 + "]"
        for call in (
            lambda: libhcl.evaluate(many, timeout=0.5),
            lambda: libhcl.compile(many, timeout=0.5)(),
            lambda: libhcl.loads(read_in_time, timeout=0.5),
            lambda: libhcl.loads('{"a": [' + "1e1000000, " * 1_000 + "1]}", syntax="json", timeout=0.5),
            lambda: libhcl.evaluate("1", x=shared, timeout=0.2),
            lambda: libhcl.compile("x", timeout=0.2)(x=shared),
        ):
            began = time.monotonic()
            self.assertEqual(limit_of(call), "limit.deadline")
            self.assertLess(time.monotonic() - began, 5)

    def test_parts_of_an_argument_are_bounded(self):
        shared: list = []
        for _ in range(40):
            shared = [shared, shared]
        texts = ["x" * 1_000_000] * 1_000
        for call in (lambda: libhcl.evaluate("1", x=shared), lambda: libhcl.dumps({"a": shared}), lambda: libhcl.evaluate("1", x=texts)):
            self.assertEqual(limit_of(call), "limit.elements")

    def test_ctrl_c_while_objects_are_turned(self):
        """Python's handler raises whatever is asked at the moment."""
        # A process in the background of a shell ignores the signal.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        shared: list = []
        for _ in range(20):
            shared = [shared, shared]
        for call in (
            lambda: libhcl.evaluate("1", x=shared),
            lambda: libhcl.dumps({"a": [[1] * 10] * 50_000}),
            lambda: libhcl.loads("a = [" + "1e1000000, " * 1_000 + "]"),
        ):
            timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                call()
                # The signal comes late where the thread of the timer had to wait for its turn.
                timer.join()
                time.sleep(1)
                self.fail("the call ended before")
            timer.join()

    def test_exceptions_of_asking_an_object_are_raised(self):
        class Asked:
            @property
            def __class__(self):
                raise KeyboardInterrupt

        for call in (
            lambda: libhcl.evaluate("x", x=Asked()),
            lambda: libhcl.evaluate("x", Asked()),
            lambda: libhcl.evaluate("x", functions=Asked()),
            lambda: libhcl.dumps({"a": Asked()}),
            lambda: libhcl.dumps(Asked()),
            lambda: Module(Asked()),
        ):
            with self.assertRaises(KeyboardInterrupt):
                call()

    def test_threads_keep_their_exceptions(self):
        def function(x: int) -> int:
            if x < 0:
                raise SystemExit(x)
            return x

        program = libhcl.compile("f(x)", functions={"f": function})
        wrong = []

        def work(x: int) -> None:
            for _ in range(10_000):
                try:
                    found: object = program(x=x)
                except BaseException as error:
                    found = repr(error)
                if found != (x if x > 0 else f"SystemExit({x})"):
                    wrong.append(found)

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            threads = [threading.Thread(target=work, args=(x,)) for x in (-1, 3, -7)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        self.assertEqual(wrong, [])

    def test_an_exception_of_an_inner_evaluation(self):
        def stop() -> None:
            raise SystemExit(1)

        inner = libhcl.compile("stop()", functions={"stop": stop})

        def outer() -> str:
            with contextlib.suppress(SystemExit):
                inner()
            return "went on"

        self.assertEqual(libhcl.evaluate("outer()", functions={"outer": outer}), "went on")

    def test_evaluations_within_each_other(self):
        program = """
            import sys, threading
            sys.setrecursionlimit({limit})
            program = None
            def f():
                return program()
            program = compile("f()", functions={{"f": f}})
            def work():
                try:
                    program()
                except (RecursionError, HclError) as error:
                    print(type(error).__name__)
            threading.stack_size({stack})
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        """
        for limit, stack in ((1_000, 256 << 10), (1_000, 1 << 20), (1_000, 8 << 20), (20_000, 8 << 20)):
            ended = in_process(program.format(limit=limit, stack=stack))
            self.assertEqual((ended.returncode, ended.stdout), (0, "RecursionError\n"), (limit, stack, ended.stderr[-2000:]))

    def test_programs_are_collected(self):
        class Holder:
            def __init__(self) -> None:
                self.program = libhcl.compile("f()", functions={"f": self.answer})

            def answer(self) -> int:
                return 1

        holder = Holder()
        gone = weakref.ref(holder)
        self.assertEqual(holder.program(), 1)
        del holder
        gc.collect()
        self.assertIsNone(gone())

    @unittest.skipIf(not importlib.util.find_spec("_xxsubinterpreters"), "no interpreters in this version")
    def test_a_second_interpreter_is_refused(self):
        ended = in_process("""
            import _xxsubinterpreters as interpreters
            other = interpreters.create()
            try:
                interpreters.run_string(other, "import libhcl")
                print("loaded")
            except Exception as error:
                print(error)
            interpreters.destroy(other)
            print(loads("a = x"), evaluate("x", x=Sensitive(1)))
        """)
        self.assertRegex(ended.stdout, r"ImportError\W.*\n\{'a': Expression\('x'\)\} Sensitive\(\.\.\.\)")
        self.assertEqual(ended.returncode, 0, ended.stderr)


class Places(unittest.TestCase):
    def test_ranges_have_an_order(self):
        with self.assertRaises(HclError) as caught:
            libhcl.loads("a = 1 2\nb = &\n\nc = 1 |\n")
        places = [one.range for one in caught.exception.diagnostics]
        self.assertEqual([one.start_line for one in sorted(places)], sorted(one.start_line for one in places))
        doc = libhcl.parse("a = 1\nb = 2\n")
        first, second = doc.range_of("a"), doc.range_of("b")
        self.assertTrue(first < second and second > first and first <= first and not first >= second)
        with self.assertRaises(TypeError):
            first < 1


class BadInput(unittest.TestCase):
    def test_wrong_types_name_the_argument_and_the_type(self):
        for call, said in (
            (lambda: libhcl.loads(1), "text .*int"),
            (lambda: libhcl.loads(None), "text .*NoneType"),
            (lambda: libhcl.parse([]), "text .*list"),
            (lambda: libhcl.evaluate(1.5), "expression .*float"),
            (lambda: libhcl.evaluate("x", x=object()), "x: .*object"),
            (lambda: libhcl.evaluate("x", x={"a": [1, b"b"]}), r'x\["a"\]\[1\]: .*bytes'),
            (lambda: libhcl.evaluate("x", x={1: 2}), "x: .*int"),
            (lambda: libhcl.evaluate("x", [1]), "variables .*list"),
            (lambda: libhcl.evaluate("1", functions=[1]), "functions .*list"),
            (lambda: libhcl.evaluate("1", functions={"f": 1}), "functions.*int"),
            (lambda: libhcl.evaluate("1", files=1), "files .*int"),
            (lambda: libhcl.evaluate("1", allow=1), "allow .*int"),
            (lambda: libhcl.dumps([1]), "data .*list"),
            (lambda: libhcl.load(1), "file .*int"),
            (lambda: libhcl.loads("", filename=1), "filename.*int"),
            (lambda: libhcl.loads("", timeout="1"), "timeout.*str"),
            (lambda: libhcl.loads("", max_steps=1.5), "max_steps.*float"),
            (lambda: libhcl.format(1), "text .*int"),
            (lambda: libhcl.decode(Server, 1), "text .*int"),
            (lambda: libhcl.decode(Server, "port = 1", blocks="labels"), "blocks"),
            (lambda: libhcl.parse("").get(1), "path.*int"),
            (lambda: libhcl.parse("").set("a", object()), "value: .*object"),
            (lambda: libhcl.compile(object()), "expression .*object"),
            (lambda: Module(1), "folder.*int"),
            (lambda: Module({}, var=1), "variables .*int"),
            (lambda: libhcl.hcl2.dumps([]), "data .*list"),
        ):
            with self.assertRaisesRegex(TypeError, said):
                call()

    def test_names_that_are_none(self):
        for call, kind, said in (
            (lambda: libhcl.evaluate("1", functions={1: len}), TypeError, "functions: a name is to be str, not int"),
            (lambda: Module({5: "a"}), TypeError, "folder: a path is to be str, not int"),
            (lambda: Module({}).evaluate(5), TypeError, "expression is to be str, not int"),
            (lambda: libhcl.evaluate("1", x=[Unknown(5)]), TypeError, r"x\[0\]: the type of Unknown is to be str, not int"),
            (lambda: libhcl.dumps({1: 2}), TypeError, "data.*int"),
            (lambda: libhcl.hcl2.dumps({1: 2}), TypeError, "a key is to be str, not int"),
            (lambda: libhcl.hcl2.dumps({"a": {1: 2}}), TypeError, "a key is to be str, not int"),
            (lambda: libhcl.parse("a {}\n").relabel("a", [1]), TypeError, "labels: a label is to be str, not int"),
            (lambda: libhcl.evaluate("1", allow=[1]), TypeError, "allow.*int"),
            (lambda: libhcl.evaluate("1", files=[1]), TypeError, "files.*int"),
            (lambda: libhcl.evaluate("1", {"\ud800": 1}), ValueError, "variables: a name has a surrogate"),
            (lambda: libhcl.evaluate("1", functions={"\ud800": len}), ValueError, "functions: a name has a surrogate"),
            (lambda: Module({"\ud800": ""}), ValueError, "folder: a path has a surrogate"),
        ):
            with self.assertRaisesRegex(kind, said) as caught:
                call()
            self.assertIs(type(caught.exception), kind)

    def test_dataclasses_have_their_fields(self):
        self.assertEqual(libhcl.evaluate("x", x=Part(1)), {"x": 1})
        self.assertEqual(libhcl.dumps({"a": Part(1)}), "a = {\n  x = 1\n}\n")
        for call in (lambda: libhcl.evaluate("x", x=Part), lambda: libhcl.dumps({"a": Part})):
            with self.assertRaisesRegex(TypeError, "type type"):
                call()

    def test_places_of_bytes_that_are_no_text(self):
        text = b"# caf\xe9\na=1\n"
        self.assertEqual(libhcl.loads(text), {"a": 1})
        doc = libhcl.parse(b"b {\n  a = [ # caf\xe9\n  ]\n}\n")
        for call, line in (
            (lambda: libhcl.format(text), 1),
            (lambda: libhcl.parse(text).text, 1),
            (lambda: str(libhcl.parse(text)), 1),
            (lambda: doc.source_of("b.a"), 2),
        ):
            with self.assertRaises(HclError) as caught:
                call()
            (found,) = caught.exception.diagnostics
            self.assertEqual((found.code, found.range.start_line), ("lex.invalid_encoding", line))
        with self.assertRaises(HclError) as caught:
            libhcl.hcl2.loads("a = 1\na {\n}\n")
        self.assertEqual(caught.exception.diagnostics[0].range.start_line, 2)

    def test_wrong_options_are_refused(self):
        for call in (
            lambda: libhcl.loads("", syntax="yaml"),
            lambda: libhcl.loads("", numbers="int"),
            lambda: libhcl.loads("", expressions="x"),
            lambda: libhcl.loads("", blocks="x"),
            lambda: libhcl.evaluate("1", dialect="cobol"),
            lambda: libhcl.evaluate("1", timeout=-1),
            lambda: libhcl.evaluate("1", timeout=float("nan")),
            lambda: libhcl.format("", style="x"),
            lambda: Module({}, product="x"),
        ):
            with self.assertRaises(ValueError):
                call()

    def test_dialects_are_products_and_their_releases(self):
        with self.assertRaisesRegex(ValueError, 'no dialect "terraform-9.9"; there are hcl, terraform, terraform-1.11'):
            libhcl.evaluate("1", dialect="terraform-9.9")
        with self.assertRaises(HclError) as caught:
            libhcl.evaluate("alltrue([])", dialect="packer-1.11")
        self.assertIn("exists since Packer 1.12", caught.exception.diagnostics[0].detail)

    def test_objects_that_refer_to_themselves(self):
        one: list = [1]
        one.append({"a": one})
        for call in (lambda: libhcl.evaluate("x", x=one), lambda: libhcl.dumps({"x": one}), lambda: libhcl.hcl2.dumps({"x": one})):
            with self.assertRaisesRegex(ValueError, "itself"):
                call()
        shared = [1]
        self.assertEqual(libhcl.evaluate("x", x=[shared, shared]), [[1], [1]])

    def test_deep_objects(self):
        deep: list = []
        for _ in range(100_000):
            deep = [deep]
        with self.assertRaisesRegex(ValueError, "deep"):
            libhcl.evaluate("x", x=deep)
        # Python itself takes a list apart by recursion unless it is done in steps.
        while deep:
            deep = deep.pop()

    def test_deep_texts(self):
        with self.assertRaises(HclError):
            libhcl.loads("a = " + "[" * 100_000)
        self.assertEqual(str(libhcl.loads("a = " + "[" * 900 + "]" * 900)["a"]).count("["), 900)

    def test_texts_that_are_no_text(self):
        for text in (b"a = \xff", "a = \udcff", "a = \ud800", b"\xfe\xffa", "a = \0", "\x80"):
            with self.assertRaises(HclError) as caught:
                libhcl.loads(text)
            self.assertEqual(caught.exception.diagnostics[0].range.start_line, 1)
        with self.assertRaisesRegex(ValueError, "surrogate"):
            libhcl.evaluate("x", x="\udcff")
        with self.assertRaisesRegex(ValueError, "surrogate"):
            libhcl.dumps({"a": "\ud800"})
        self.assertEqual(libhcl.evaluate("x", x="a\0b"), "a\0b")

    def test_numbers_that_are_none(self):
        for wrong in (float("nan"), float("inf"), decimal.Decimal("nan"), decimal.Decimal("-inf"), decimal.Decimal("1e999999999")):
            with self.assertRaises(ValueError):
                libhcl.evaluate("x", x=wrong)
            with self.assertRaises(ValueError):
                libhcl.dumps({"x": wrong})

    def test_long_numbers(self):
        self.assertEqual(libhcl.evaluate("x", x=10**100), 10**100)
        for inexact in (10**10_000 + 1, 10**200 + 1, decimal.Decimal(10**200 + 1), decimal.Decimal("1e400")):
            with self.assertRaisesRegex(ValueError, "exactly"):
                libhcl.evaluate("x", x=inexact)
        self.assertEqual(libhcl.evaluate("x", x=decimal.Decimal("1e100")), 10**100)
        self.assertEqual(libhcl.evaluate("x", x=decimal.Decimal("12.0")), 12)
        self.assertEqual(libhcl.evaluate("1e400"), 10**400)
        long = libhcl.loads("a = 1" + "0" * 9_999)["a"]
        self.assertEqual(long // 10**9_990 % 10, 0)

    def test_long_texts(self):
        text = "x" * 10_000_000
        self.assertEqual(libhcl.evaluate("length(x)", x=text), len(text))
        self.assertEqual(libhcl.loads(f'a = "{text}"')["a"], text)

    def test_timeouts_of_reading(self):
        text = "a = [" + "1, " * 3_000_000 + "1]"
        with self.assertRaises(HclError) as caught:
            libhcl.loads(text, timeout=0.0)
        self.assertEqual(caught.exception.diagnostics[-1].code, "limit.deadline")
        for call in (libhcl.parse, libhcl.format):
            with self.assertRaises(HclError) as caught:
                call(text, timeout=0.0)
            self.assertEqual(caught.exception.diagnostics[-1].code, "limit.deadline")

    def test_nothing_is_left_behind(self):
        """100,000 texts, good and bad ones, in flat memory."""

        def work(n: int) -> None:
            for _ in range(n):
                libhcl.loads('a = 1\nb "c" {\n  d = [var.e, "f"]\n}\n')
                libhcl.evaluate("x + 1", x=1)
                with contextlib.suppress(HclError):
                    libhcl.loads("a = \n")
                with contextlib.suppress(HclError):
                    libhcl.evaluate("f(1)", functions={"f": lambda one: {}[one]})

        work(1_000)
        gc.collect()
        before = _memory()
        work(25_000)
        gc.collect()
        self.assertLess(_memory() - before, 8 << 20)


def _memory() -> int:
    """The memory of the process that is in use, where the system says it, else the most that was."""
    with contextlib.suppress(OSError):
        with open("/proc/self/statm", encoding="ascii") as opened:
            return int(opened.read().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class DropIn(unittest.TestCase):
    def test_loads(self):
        text = '# top\nresource "a" "b" {\n  x = var.y # why\n  s = "q"\n}\n'
        expected = {
            "resource": [{'"a"': {'"b"': {"x": "${var.y}", "s": '"q"', "__comments__": [{"value": "why"}], "__is_block__": True}}}],
            "__comments__": [{"value": "top"}],
        }
        self.assertEqual(libhcl.hcl2.loads(text), expected)
        self.assertEqual(libhcl.hcl2.load(io.StringIO(text)), expected)
        self.assertEqual(libhcl.hcl2.serialize(libhcl.hcl2.parses(text)), expected)
        plain = libhcl.hcl2.SerializationOptions(strip_string_quotes=True, with_comments=False, explicit_blocks=False)
        self.assertEqual(
            libhcl.hcl2.loads(text, serialization_options=plain), {"resource": [{"a": {"b": {"x": "${var.y}", "s": "q"}}}]}
        )

    def test_a_slash_after_the_opening_of_a_comment_ends_nothing(self):
        self.assertEqual(
            libhcl.hcl2.loads("a = 1\n/*// x\n y */\nb = 2\n"),
            {"a": 1, "b": 2, "__comments__": [{"value": "// x\n y"}]},
        )

    def test_what_python_hcl2_does_not_read_keeps_its_meaning(self):
        text = 'a = "x ${~ b ~} y"\nc = [for d in e : 1]\né = (1 # why\n + 2)\n'
        expected = {"a": '"x ${~ b ~} y"', "c": "${[for d in e : 1]}", "é": "${(1 + 2)}"}
        data = libhcl.hcl2.loads(text)
        self.assertEqual({key: data[key] for key in expected}, expected)

    def test_texts_that_dumps_writes(self):
        """What python-hcl2 8.1.4 writes; for an escaped quote before an interpolation, what it would have to."""
        for text, expected in (
            ('"', '""'),
            ('""', '""'),
            ('a"', 'a"'),
            ('"a\\"b"', '"a\\"b"'),
            ('"a\\\\"', '"a\\\\"'),
            ('"a\\nb"', '"a\\nb"'),
            ('"a\nb"', '"a\nb"'),
            ('"a\nb${c}"', '"a\nb${c}"'),
            ("a\\b", "a\\b"),
            ("a ${b}", "a ${b}"),
            ("${a+1}", "a + 1"),
            ('"${a+1} b"', '"${a + 1} b"'),
            ('"$${a+1}"', '"$${a+1}"'),
            ('"${ {a=1} } b"', '"${ {a=1} } b"'),
            ('"${ {a=1}.a } ${b+1}"', '"${ {a=1}.a } ${b + 1}"'),
            ('"${"${a+1}"}"', '"${"${a + 1}"}"'),
            ('"a"${b}"c"', '"a${b}c"'),
            ('"a\\"${b}\\""', '"a\\"${b}\\""'),
            ('"${"', '"${"'),
            ('"%{if a}b%{endif}"', '"%{ if a }b%{ endif }"'),
        ):
            self.assertEqual(libhcl.hcl2.dumps({"x": text}), f"x = {expected}\n", text)
        with self.assertRaises(HclError):
            libhcl.hcl2.dumps({"x": '"${1 +}"'})
        self.assertEqual(libhcl.hcl2.dumps({"x": [{'"': {"__is_block__": True}}]}), 'x "" {\n\n}\n')

    def test_numbers_with_two_signs(self):
        self.assertEqual(libhcl.hcl2.loads("a = [--15, --1.5, !(-00), --x]\n"), {"a": [15, 1.5, "${!(0)}", "${--x}"]})

    def test_comments_behind_operations(self):
        for text in ("a=[x>a[*]/*c*/]\n", 'a=[(b)-""/*c*/]\n', "a=[x>1/*c*/]\n"):
            self.assertEqual(libhcl.hcl2.loads(text)["__inline_comments__"], [{"value": "c"}], text)
        self.assertNotIn("__inline_comments__", libhcl.hcl2.loads("a={b=x>1 /*c*/}\n"))
        self.assertEqual(libhcl.hcl2.loads("/*a*/\r\n/*b*/\n"), {"__comments__": [{"value": "a*/\n/*b"}]})

    def test_heredocs_within_expressions(self):
        for text in (
            "a = (<<E\nx\nE\n)\n",
            "a = f(<<-E\n  x\n  E\n, 1)\n",
            "a = x == <<E\nx\nE\n",
            "a = [\n  <<E\nx\nE\n,\n  1,\n]\n",
            "a = {\n  b = <<E\nx\nE\n  c = 1,\n}\n",
            "a = [\n  x == <<E\nx\nE\n,\n]\n",
            "b {\n  a = f(<<E\nE\n)\n}\n",
        ):
            data = libhcl.hcl2.loads(text)
            self.assertEqual(libhcl.hcl2.dumps(data), text)
            self.assertEqual(libhcl.loads(libhcl.hcl2.dumps(data)), libhcl.loads(text))

    def test_options_and_arguments_of_python_hcl2(self):
        options = libhcl.hcl2.SerializationOptions(with_comments=0, wrap_tuples=1)
        self.assertEqual(libhcl.hcl2.loads("a = [1] # b\n", serialization_options=options), {"a": "${[1]}"})
        self.assertEqual(libhcl.hcl2.reconstruct(libhcl.hcl2.from_dict({"a": 1}, apply_format=False)), "a = 1\n")
        self.assertEqual(libhcl.hcl2.from_json('{"a": 1}', apply_format=True).text, "a = 1\n")

    def test_many_attributes_of_a_block(self):
        block = {f"name_{at}": at for at in range(12_000)}
        began = time.monotonic()
        text = libhcl.hcl2.dumps({"b": [{**block, "__is_block__": True}]})
        self.assertLess(time.monotonic() - began, 5)
        self.assertIn("  name_7     = 7\n", text)

    def test_round_trips(self):
        text = 'resource "a" "b" {\n  x    = var.y\n  list = [\n    1,\n  ]\n}\n'
        hcl2 = libhcl.hcl2
        self.assertEqual(hcl2.dumps(hcl2.loads(text)), text)
        self.assertEqual(hcl2.reconstruct(hcl2.transform(hcl2.parses_to_tree(text))), text)
        self.assertEqual(hcl2.reconstruct(hcl2.from_json('{"a": "${1 + 2}"}')), "a = 1 + 2\n")
        out = io.StringIO()
        hcl2.dump({"a": 1}, out)
        self.assertEqual(out.getvalue(), "a = 1\n")


class Command(unittest.TestCase):
    def test_the_module_is_the_command(self):
        def run(*arguments: Union[str, bytes]):
            environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
            return subprocess.run(
                [sys.executable, "-m", "libhcl", *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )

        self.assertEqual(run("eval", "1 + 2").stdout, b"3\n")
        self.assertEqual(run("eval", "1 +").returncode, 1)
        self.assertEqual(run("nosuch").returncode, 2)
        self.assertIn(b"Usage", run("--help").stdout)
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(os.fsencode(folder), b"\xff.hcl")
            try:
                with open(name, "w") as out:
                    out.write("a = 1\n")
            except OSError:
                self.skipTest("names of files are UTF-8 here")
            self.assertEqual(run("get", "a", name).stdout, b"1\n")


def load_tests(loader, tests, _pattern):
    """Adds the examples of docstrings and of the README."""
    names = [name for _, name, _ in pkgutil.iter_modules(libhcl.__path__) if name not in ("__main__",)]
    tests.addTests(doctest.DocTestSuite(libhcl))
    for name in names:
        tests.addTests(doctest.DocTestSuite(importlib.import_module(f"libhcl.{name}")))
    root = pathlib.Path(__file__).resolve().parents[3]
    pages = [root / "bindings/python/README.md", root / "docs/python-from-python-hcl2.md", root / "README.md"]
    pages += sorted((root / "docs/tutorial").glob("*.md")) + sorted((root / "docs/guides").glob("*.md"))
    for path in pages:
        if path.exists():
            tests.addTests(doctest.DocFileSuite(str(path), module_relative=False))
    return tests


if __name__ == "__main__":
    unittest.main()
