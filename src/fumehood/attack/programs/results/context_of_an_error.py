# aim: have the host hold an error's objects
# mechanism: an exception with objects for arguments, notes, cause and name
# language: nothing (any program may raise)
# jail: wire
# plain: none (in a plain process an error goes nowhere)
# expect: error KeyError | error SystemExit
# hosts: root
class Part:
    def __repr__(self):
        raise SystemExit
    __str__ = __repr__

error = KeyError(Part(), [Part()])
error.__notes__ = [Part(), 7]
error.name = Part()
raise error from ValueError(Part())
