# aim: have the host never finish showing a result
# mechanism: a list of ten references to the same list, at twenty levels
# language: nothing (any program may have such a value)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held
# hosts: root
value = []
for _ in range(20):
    value = [value] * 10
value
# ---
"held: the host is still there"
