# aim: overflow the host's stack with a value nested too deep
# layer: wire
# expect: held | fault crash
# plain: none (in a plain process a value goes nowhere)
deep = []
for _ in range(200_000):
    deep = [deep]
deep
# ---
"held: the host is still there"
