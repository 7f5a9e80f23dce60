"""Folders of Terraform and OpenTofu."""

from __future__ import annotations

import html
from typing import Any, Iterator, Mapping

from . import _libhcl
from ._values import HclError

__all__ = ["Module"]


class _Values(Mapping[str, Any]):
    """Values that a module declares of one kind, evaluated when they are asked for: ``module.local.name``, ``module.local["name"]``; a
    mapping, so that ``dict(module.output)`` evaluates all of them."""

    def __init__(self, module: "Module", kind: str) -> None:
        self._module = module
        self._kind = kind

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(f"{self._kind}.{name}")
        return self._module.evaluate(f"{self._kind}.{name}")

    def __contains__(self, name: object) -> bool:
        return f"{self._kind}.{name}" in self._module.declared()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(f"the module declares no {self._kind}.{name}") from error

    def __iter__(self) -> Iterator[str]:
        prefix = f"{self._kind}."
        return (address[len(prefix) :] for address in self._module.declared() if address.startswith(prefix))

    def __dir__(self) -> "list[str]":
        return list(self)

    def __repr__(self) -> str:
        return f"<{self._kind}: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        rows = (f"<tr><th>{html.escape(name)}</th><td>{_shown(self, name)}</td></tr>" for name in self)
        return f"<table>{''.join(rows)}</table>"


def _shown(values: _Values, name: str) -> str:
    try:
        return f"<code>{html.escape(repr(values[name]))}</code>"
    except HclError as error:
        return error._repr_html_()


class Module(_libhcl._Module):
    """A folder of Terraform or OpenTofu, evaluated without providers, state and network.

    >>> module = Module({"main.tf": 'variable "n" {}\\noutput "double" {\\n  value = var.n * 2\\n}\\n'}, var={"n": 21})
    >>> module.output.double
    42
    >>> list(module.var)
    ['n']
    """

    @property
    def var(self) -> _Values:
        """The values of variables."""
        return _Values(self, "var")

    @property
    def local(self) -> _Values:
        """The values of `locals`."""
        return _Values(self, "local")

    @property
    def output(self) -> _Values:
        """The values of outputs."""
        return _Values(self, "output")

    def _repr_html_(self) -> str:
        kinds = (("Variables", self.var), ("Locals", self.local), ("Outputs", self.output))
        return "".join(f"<h4>{title}</h4>{values._repr_html_()}" for title, values in kinds if list(values))
