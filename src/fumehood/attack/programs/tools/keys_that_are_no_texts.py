# aim: hand a tool a record with keys that it does not expect
# mechanism: a dictionary with None, numbers and tuples for keys
# language: nothing (any program may call a tool)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# hosts: root
for record in ({1: 2}, {None: 1}, {(1, 2): 3}, {"a": 1, b"a": 2}, {float("nan"): 1}):
    try:
        keys(record)
    except Exception as error:
        pass
"held: the host saw texts or nothing"
