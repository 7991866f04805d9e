# aim: leave a generator behind whose clean-up runs in the host
# mechanism: a finally block in a suspended generator
# language: run
# reason: clean-up code gets nothing that the cell did not have
# jail: wire
# plain: loot

kept = []


def suspended():
    try:
        yield
    finally:
        loot(open)


left = suspended()
next(left)
del left
