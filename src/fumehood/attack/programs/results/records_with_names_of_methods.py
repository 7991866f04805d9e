# aim: have fields of a record take the place of methods on the host
# mechanism: dataclass and namedtuple fields that are called like methods of the record
# language: nothing (a class may have such fields)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held
# host: state
# hosts: root
import collections, dataclasses
Pair = collections.namedtuple("Pair", ["keys", "get", "items", "append", "read"])
Made = dataclasses.make_dataclass("Made", ["fields", "values", "type", "name", "kind", "as_dict"])
values = [Pair(1, 2, 3, 4, 5), Made(1, 2, 3, 4, 5, 6)]
values
# ---
"held: the host is still there"
