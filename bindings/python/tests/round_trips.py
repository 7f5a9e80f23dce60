"""Round trips of values and documents that hypothesis makes."""

import math
import unicodedata
import unittest

from hypothesis import HealthCheck, given, settings, strategies as st

import libhcl
from libhcl import Block

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).filter(
    # Texts of the language are in normal form C.
    lambda text: unicodedata.is_normalized("NFC", text)
)
NUMBERS = st.integers(-(2**400), 2**400) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=15)
NAMES = st.from_regex(r"\A[a-z_][a-z0-9_-]{0,8}\Z")
BODIES = st.recursive(
    st.dictionaries(NAMES, VALUES, max_size=3),
    lambda inner: st.dictionaries(
        NAMES, VALUES | st.lists(inner.map(Block) | st.builds(lambda label, body: {label: Block(body)}, TEXTS, inner), min_size=1, max_size=3), max_size=3
    ),
    max_leaves=8,
)
PACE = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def same(one, other):
    """Equal, with -0.0 as 0 and floats that are whole numbers as these."""
    if isinstance(one, float) and not isinstance(other, float):
        return math.isfinite(one) and one == other
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


class RoundTrips(unittest.TestCase):
    @PACE
    @given(VALUES)
    def test_values_through_the_evaluator(self, value):
        got = libhcl.evaluate("x", {"x": value})
        self.assertTrue(same(value, got), (value, got))

    @PACE
    @given(BODIES)
    def test_documents(self, body):
        text = libhcl.dumps(body)
        got = libhcl.loads(text)
        self.assertTrue(same(body, got), (body, text, got))
        self.assertEqual(libhcl.format(text), text)
        self.assertEqual(libhcl.dumps(got), text)

    @PACE
    @given(VALUES)
    def test_values_in_documents(self, value):
        doc = libhcl.parse("# kept\na = 1 # too\n")
        doc.set("a", value)
        self.assertTrue(same(value, doc.get("a")), (value, doc.text))
        self.assertTrue(doc.text.startswith("# kept\na = "), doc.text)

    @PACE
    @given(st.text(max_size=60) | st.binary(max_size=60))
    def test_any_text_has_a_result_or_an_error_with_a_place(self, text):
        try:
            libhcl.loads(text)
        except libhcl.HclError as error:
            self.assertTrue(all(one.range is not None for one in error.diagnostics), error)


if __name__ == "__main__":
    unittest.main()
