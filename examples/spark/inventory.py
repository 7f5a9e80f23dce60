"""A data set that is the same for the same size: resources with a kind, a size, a region and whether they are public."""

import random

import pyarrow as pa

KINDS = ["bucket", "disk", "website"]
REGIONS = ["eu-central-1", "eu-west-3", "us-east-1"]


def resources(rows, seed=1):
    """A table of resources; one in a thousand is of a kind that the policy knows nothing about."""
    choose = random.Random(seed)
    return pa.table(
        {
            "id": pa.array(range(rows), pa.int64()),
            "kind": pa.array(["tape" if choose.random() < 0.001 else choose.choice(KINDS) for _ in range(rows)]),
            "size": pa.array([choose.randrange(2000) for _ in range(rows)], pa.int32()),
            "region": pa.array([choose.choice(REGIONS) for _ in range(rows)]),
            "public": pa.array([choose.random() < 0.2 for _ in range(rows)]),
        }
    )
