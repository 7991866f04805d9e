# aim: have the host walk in a circle
# mechanism: lists, dictionaries and records that hold themselves
# language: nothing (any program may make such values)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held
# host: state, audit
# hosts: root
import dataclasses

@dataclasses.dataclass
class Node:
    next: object = None

node = Node()
node.next = node
ring, table = [], {}
ring.append(ring)
table["table"] = table
[ring, table, node, {"a": (ring, node)}]
# ---
"held: the host is still there"
