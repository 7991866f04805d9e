# aim: have the process die while its variables are saved
# mechanism: os._exit in __reduce__
# language: check
# reason: __reduce__: pickling: names functions to be called and attributes to be set elsewhere
# jail: wire, keeper
# plain: none (a plain process saves nothing)
# expect: held
# host: save, again
# hosts: root
class Value:
    def __reduce__(self):
        os._exit(1)

kept = Value()
"held: it is kept"
