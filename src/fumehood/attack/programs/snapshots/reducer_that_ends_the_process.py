# aim: have the process die while its variables are saved
# mechanism: os._exit in __reduce__
# language: nothing (a class may define how it is saved)
# jail: wire, init
# plain: none (a plain process saves nothing)
# expect: held
# host: save, again
# hosts: root
class Value:
    def __reduce__(self):
        os._exit(1)

kept = Value()
"held: it is kept"
