# aim: fill the host's memory with the value of a cell
# mechanism: four thousand references to one long text, each counted when it is sent
# language: nothing (any program may make such a value; the codec bounds what crosses)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: fault output | fault memory | error MemoryError | error ValueError | held
big = ["x" * (1 << 20)] * 4000
big
# ---
"held: the host is still there"
