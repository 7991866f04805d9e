# aim: keep the host busy with a value of few bytes that has countless parts
# layer: wire
# expect: held | fault output | fault timeout
# plain: none (in a plain process a value goes nowhere)
deep = []
for _ in range(60):
    deep = [deep, deep]
deep
# ---
"held: the host is still there"
