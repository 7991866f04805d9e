# aim: fill the host's memory with the value of a cell
# layer: wire
# expect: fault output | fault memory | error MemoryError | error ValueError | held
# plain: none (in a plain process a value goes nowhere)
big = ["x" * (1 << 20)] * 4000
big
# ---
"held: the host is still there"
