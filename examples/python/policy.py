#!/usr/bin/env python3
"""Checks Terraform files against policies that are written in HCL themselves.

    policy.py POLICIES FILE...

Each resource of the files becomes an object, its blocks lists of objects; what depends on things that only a cloud knows
is unknown. A policy that applies to the resource asks a question about it: `deny` is true, false, or unknown, which is
said too. The exit status is 1 when something was denied, 2 when an input is wrong.
"""

import sys
from pathlib import Path

import hcl


class Policies:
    """The policies of a file, compiled once."""

    def __init__(self, path):
        self.scope = hcl.Scope("resource")
        self.file = hcl.File.parse(path, Path(path).read_text())
        self.items = [self._compile(block) for block in self.file.body.blocks if block.type == "policy"]

    def _compile(self, block):
        attributes = block.body.attributes
        types = self.scope.frame().eval(attributes["resources"]).to_python()
        return block.labels[0], types, self.scope.compile(attributes["deny"]), self.scope.compile(attributes["message"])

    def complaints(self, kind, resource):
        """The name and message of each policy that denies a resource, or can't tell."""
        frame = self.scope.frame(resource=resource)
        for name, kinds, deny, message in self.items:
            if kind not in kinds:
                continue
            denied = frame.eval(deny)
            if not denied.is_known:
                yield False, name, "depends on what is not known before the plan"
            elif denied.to_python():
                yield True, name, frame.eval(message).to_python()


class Module:
    """A Terraform file, as far as it can be evaluated without a provider."""

    def __init__(self, path):
        self.path = path
        self.file = hcl.File.parse(path, Path(path).read_text())
        blocks = self.file.body.blocks
        nothing = hcl.Scope().frame()
        variables = {
            block.labels[0]: nothing.eval(block.body.attributes["default"])
            for block in blocks
            if block.type == "variable" and "default" in block.body.attributes
        }
        self.frame = hcl.Scope("var").frame(var=variables)
        self.resources = [block for block in blocks if block.type == "resource"]

    def evaluate(self, body):
        """A body as a dict: attributes as values, blocks as lists of dicts by type."""
        content = {name: self._value(expr) for name, expr in body.attributes.items()}
        for block in body.blocks:
            content.setdefault(block.type, []).append(self.evaluate(block.body))
        return content

    def _value(self, expr):
        try:
            return self.frame.eval(expr)
        except hcl.Error:
            return hcl.Value.unknown()  # it refers to other resources


def main(policies, *files):
    rules = Policies(policies)
    denied = False
    for path in files:
        module = Module(path)
        for block in module.resources:
            kind, name = block.labels
            for is_denied, policy, message in rules.complaints(kind, module.evaluate(block.body)):
                denied = denied or is_denied
                print(f"{path}:{block.line}: {kind}.{name}: {policy}: {'' if is_denied else 'note: '}{message}")
    return 1 if denied else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except (hcl.Error, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
