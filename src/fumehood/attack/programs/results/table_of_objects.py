# aim: have the host's pandas call methods of what is in a table
# mechanism: a DataFrame with hostile objects for cells, column names and index
# language: nothing (any program may make tables)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held
# imports: pandas
# host: state
# limits: memory_bytes=805306368
# hosts: root
import pandas

class Cell:
    def __repr__(self):
        raise SystemExit
    __str__ = __len__ = __repr__
    def __hash__(self):
        return 1

table = pandas.DataFrame({"a": [Cell(), Cell()]})
table.columns = [Cell()]
table.attrs = {"x": Cell()}
table
# ---
"held: the host is still there"
