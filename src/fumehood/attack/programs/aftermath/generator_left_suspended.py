# aim: have code run when what a cell left behind is collected
# mechanism: the finally of a suspended generator, in a cycle
# language: nothing (a generator may have a finally)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# host: again, state
# hosts: root
def holds():
    me = yield
    try:
        yield
    finally:
        add(1, 1)
        while True:
            me = [me]
            break

one = holds()
next(one)
one.send(one)
del one
"held: it is suspended"
