# aim: keep the host busy with a value of few bytes that has countless parts
# mechanism: a list that holds itself twice over at sixty levels, so that walking it never ends
# language: nothing (any program may make such a value; the codec bounds what crosses)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held | fault output | fault timeout
deep = []
for _ in range(60):
    deep = [deep, deep]
deep
# ---
"held: the host is still there"
