# aim: keep the host waiting while variables are saved
# mechanism: an endless loop in __getstate__
# language: nothing (a class may define how it is saved)
# jail: clock
# plain: none (a plain process saves nothing)
# expect: held
# host: save, again
# limits: cell_seconds=1
# hosts: root
class Value:
    def __getstate__(self):
        while True:
            pass

kept = Value()
"held: it is kept"
