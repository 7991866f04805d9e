# aim: overflow the host's stack with a value nested too deep
# mechanism: a list in a list, 200,000 deep, as the value of a cell
# language: nothing (any program may make such a value; the codec bounds what crosses)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held | fault crash
deep = []
for _ in range(200_000):
    deep = [deep]
deep
# ---
"held: the host is still there"
