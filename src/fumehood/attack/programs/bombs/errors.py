# aim: fill the host's memory with the text of an error
# mechanism: an exception whose message is 64 MB long
# language: nothing (any program may raise it; the codec bounds what crosses)
# jail: wire
# plain: none (in a plain process an error goes nowhere)
# expect: error ValueError | fault output | fault memory
raise ValueError("x" * (64 << 20))
