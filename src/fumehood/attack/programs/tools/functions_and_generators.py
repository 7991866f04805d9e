# aim: have the host call back into code of the sandbox
# mechanism: functions, generators and open objects as arguments
# language: nothing (any program may call a tool)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# hosts: root
def gives():
    yield 1

for thing in (gives, gives(), print, type, iter([1]), lambda: 1, add):
    for call in (lambda: count(thing), lambda: keys({"a": thing}), lambda: greet(thing)):
        try:
            call()
        except Exception as error:
            continue
"held: the host saw none of them"
