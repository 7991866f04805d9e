# aim: have the host never finish showing a result
# mechanism: a list of ten references to the same list, at twenty levels
# language: nothing (any program may have such a value)
# jail: wire
# plain: none (whether the host survives is what is tested)
# expect: nothing
# hosts: root
# host: show, audit
value = []
for _ in range(20):
    value = [value] * 10
value
