# aim: fill the host's memory with the text of an error
# layer: wire
# expect: error ValueError | fault output | fault memory
# plain: none (in a plain process an error goes nowhere)
raise ValueError("x" * (64 << 20))
