# aim: hand a tool a text that has methods of its own
# mechanism: an instance of a subclass of str as an argument
# language: nothing (any program may call a tool)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# hosts: root
class Text(str):
    def __str__(self):
        raise SystemExit
    __repr__ = __format__ = __len__ = __str__

try:
    greet(Text("you"))
except Exception as error:
    pass
"held: the host saw no class of ours"
