# aim: fill the host's memory with notes on an error
# mechanism: add_note, a hundred thousand times
# language: nothing (any program may raise; the codec bounds what crosses)
# jail: wire
# plain: none (in a plain process an error goes nowhere)
# expect: error ValueError | fault output | fault memory | fault frame | fault timeout | fault crash
# hosts: root
error = ValueError("small")
for number in range(100_000):
    error.add_note("n" * 300)
raise error
