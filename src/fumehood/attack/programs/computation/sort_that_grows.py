# aim: keep a sort going by changing what it compares
# mechanism: a key function that consumes an endless generator
# language: nothing (any program may loop)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
def ones():
    while True:
        yield 1

sorted(ones(), key=lambda value: value) if False else max(ones())
