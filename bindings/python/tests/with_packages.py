"""Classes of other packages, filled by `decode`."""

import datetime
import ipaddress
import unittest
from typing import Annotated, Dict, List, Optional

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


class Aliased(pydantic.BaseModel):
    cls: str = pydantic.Field(alias="class")
    url: Optional[pydantic.HttpUrl] = None
    ip: Optional[ipaddress.IPv4Address] = None
    wait: Optional[datetime.timedelta] = None
    secret: Optional[pydantic.SecretStr] = None
    sizes: List[Annotated[int, pydantic.Field(gt=3)]] = []


@attrs.define
class Private:
    _x: int
    seen: int = attrs.field(init=False, default=0)


@attrs.define
class Converted:
    n: int = attrs.field(converter=int)


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

    def test_what_validators_say_at_the_top_has_the_start_of_the_text(self):
        with self.assertRaises(HclError) as caught:
            libhcl.decode(Rule, "port = 70000\n", filename="rule.hcl")
        self.assertEqual(str(caught.exception.diagnostics[0].range), "rule.hcl:1,1")

    def test_aliases(self):
        self.assertEqual(libhcl.decode(Aliased, 'class = "x"\n').cls, "x")
        with self.assertRaisesRegex(HclError, r"the names are class, (.|\s)*Did you mean 'class'"):
            libhcl.decode(Aliased, 'cls = "x"\n')
        self.assertEqual(libhcl.decode(Private, "x = 1\n"), Private(1))

    def test_pydantic_reads_what_decode_does_not_understand(self):
        made = libhcl.decode(Aliased, 'class = "x"\nurl = "https://a.b/"\nip = "1.2.3.4"\nwait = "PT1S"\nsecret = "s"\n')
        self.assertEqual((str(made.url), str(made.ip), made.wait.seconds, made.secret.get_secret_value()), ("https://a.b/", "1.2.3.4", 1, "s"))
        with self.assertRaises(HclError) as caught:
            libhcl.decode(Aliased, 'class = "x"\nurl = "a.b"\nip = "1.2.3"\nwait = "x"\nsizes = [4, 2]\n')
        places = [(one.range.start_line, one.range.start_column) for one in caught.exception.diagnostics]
        self.assertEqual(places, [(2, 1), (3, 1), (4, 1), (5, 13)])

    def test_converters_of_attrs_take_what_the_text_has(self):
        self.assertEqual(libhcl.decode(Converted, 'n = "7"\n'), Converted(7))

    def test_missing_and_unexpected_names(self):
        for cls in (Config, Rules):
            with self.assertRaisesRegex(HclError, "'port' is missing"):
                libhcl.decode(cls, 'name = "x"\nserver "web" {}\n')
            with self.assertRaisesRegex(HclError, "'prot' is not expected"):
                libhcl.decode(cls, 'name = "x"\nserver "web" {\n  prot = 1\n}\n')


if __name__ == "__main__":
    unittest.main()
