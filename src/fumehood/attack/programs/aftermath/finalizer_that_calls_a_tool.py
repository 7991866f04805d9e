# aim: call a tool of the host while the process ends
# mechanism: __del__ of an object that lives until then
# language: nothing (a class may have a finalizer)
# jail: wire, init
# plain: none (a plain process has no tools of a host)
# expect: held
# host: again, close
# hosts: root
class Last:
    def __del__(self):
        add(1, 1)

last = Last()
"held: nothing happened yet"
