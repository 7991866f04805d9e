# aim: keep the host busy binding arguments
# mechanism: a call with two hundred thousand of them
# language: nothing (any program may call a tool)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# hosts: root
try:
    add(*range(200_000))
except Exception as error:
    pass
try:
    greet("you", **{f"k{number}": number for number in range(50_000)})
except Exception as error:
    pass
"held: the host is still there"
