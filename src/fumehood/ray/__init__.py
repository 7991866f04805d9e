"""The machines of a Ray cluster, reached by Ray's own package.

sdk.py       the `ray` package, connecting to a cluster, and its errors as ours
cluster.py   a cluster and its nodes
host.py      the actor on a node, which starts workers and runs no code of users
ways.py      the line from the driver to a node's worker: a direct one, or by calls of the actor
"""
