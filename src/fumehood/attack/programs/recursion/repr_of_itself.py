# aim: recurse when the host asks for a text
# mechanism: the value of a cell has a __repr__ that writes itself
# language: nothing (Python itself counts the depth)
# jail: rlimits, init
# plain: none (in a plain process nobody asks)
# expect: held | error RecursionError | fault crash
# hosts: root
class Endless:
    def __repr__(self):
        return f"<{self!r}>"

Endless()
# ---
"held: the host is still there"
