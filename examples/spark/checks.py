"""A policy in HCL over batches of Arrow columns.

Workers of Spark import this module, so what it keeps lives as long as the process of a worker: a policy is compiled once
there, not once a batch.
"""

import functools
import os

import pyarrow as pa

import libhcl

#: What a check gives for each resource: whether it is in order, what went wrong if that is unknown, and which process said
#: so, with the number of programs that it has compiled.
SCHEMA = "id bigint, allowed boolean, error string, worker string"


@functools.lru_cache(maxsize=None)
def compiled(text):
    """The rule of a policy as a program, and the limits that it is called with."""
    policy = libhcl.loads(text)
    # Limits of each batch: no policy can hold a worker for longer.
    program = libhcl.compile(policy["allowed"], timeout=60, max_steps=100_000_000)
    return program, policy["limits"]


def check(text, batches):
    """The results for each batch of an inventory, as a batch."""
    program, limits = compiled(text)
    worker = f"{os.getpid()}:{compiled.cache_info().misses}"
    for batch in batches:
        allowed = program.over(batch, limits=limits, type="bool")
        errors = [None] * batch.num_rows
        for row, diagnostic in allowed.errors:
            errors[row] = f"{diagnostic.summary}: {diagnostic.detail}"
        columns = [batch["id"], pa.array(allowed), pa.array(errors, pa.string()), pa.array([worker] * batch.num_rows)]
        yield pa.RecordBatch.from_arrays(columns, ["id", "allowed", "error", "worker"])
