"""The machines of a Ray cluster, reached by Ray's own package.

sdk.py       the `ray` package, connecting to a cluster, and its errors as ours
cluster.py   a cluster: which nodes it has, and who wants to know when one joins or is lost
nodes.py     a node as the driver holds it
host.py      what stands for fumehood on a node: one actor, which starts far ends and runs no code
             of anybody's
greeting.py  how the two ends of a direct line know that they are who they say
ways.py      the line from the driver to a node's far end: a direct one, or by calls of the actor
"""
