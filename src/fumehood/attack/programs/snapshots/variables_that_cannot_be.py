# aim: have what is saved not be what is loaded
# mechanism: objects that compare and copy as others
# language: nothing (a class may define how it is compared)
# jail: wire
# plain: none (a plain process saves nothing)
# expect: held
# host: save, snapshot, fork
# hosts: root
# needs: mount namespace
class Chameleon:
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 0
    def __copy__(self):
        return 7
    def __deepcopy__(self, memo):
        raise SystemExit

kept = {Chameleon(): Chameleon(), "list": [Chameleon()]}
function = lambda: kept
generator = (value for value in [1])
"held: they are kept"
