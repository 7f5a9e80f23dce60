"""Classes of other packages, filled by `decode`."""

import unittest
from typing import Dict, List, Optional

import attrs
import pydantic

import libhcl
from libhcl import HclError

TEXT = 'name = "x"\nserver "web" {\n  port = 80\n}\nserver "db" {\n  port = 70000\n  tags = ["a"]\n}\n'


class Server(pydantic.BaseModel):
    port: int = pydantic.Field(lt=65536)
    tags: List[str] = pydantic.Field(default_factory=list)
    host: Optional[str] = None


class Config(pydantic.BaseModel):
    name: str
    server: Dict[str, Server]


@attrs.define
class Rule:
    port: int = attrs.field(validator=attrs.validators.lt(65536))
    tags: List[str] = attrs.Factory(list)


@attrs.define
class Rules:
    name: str
    server: Dict[str, Rule]


class Decoding(unittest.TestCase):
    def test_pydantic(self):
        config = libhcl.decode(Config, TEXT.replace("70000", "70"))
        self.assertEqual(config, Config(name="x", server={"web": Server(port=80), "db": Server(port=70, tags=["a"])}))

    def test_attrs(self):
        rules = libhcl.decode(Rules, TEXT.replace("70000", "70"))
        self.assertEqual(rules, Rules("x", {"web": Rule(80), "db": Rule(70, ["a"])}))

    def test_what_validators_say_is_told_at_the_place(self):
        for cls, line, said in ((Config, 6, "less than 65536"), (Rules, 5, "must be < 65536")):
            with self.assertRaises(HclError) as caught:
                libhcl.decode(cls, TEXT)
            found = caught.exception.diagnostics[0]
            self.assertEqual(found.range.start_line, line)
            self.assertIn(said, found.detail)

    def test_missing_and_unexpected_names(self):
        for cls in (Config, Rules):
            with self.assertRaisesRegex(HclError, "'port' is missing"):
                libhcl.decode(cls, 'name = "x"\nserver "web" {}\n')
            with self.assertRaisesRegex(HclError, "'prot' is not expected"):
                libhcl.decode(cls, 'name = "x"\nserver "web" {\n  prot = 1\n}\n')


if __name__ == "__main__":
    unittest.main()
