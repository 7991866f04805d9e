# aim: leave a function behind that runs when the host program ends
# mechanism: weakref.finalize registers an exit function
# language: view
# reason: nothing of a cell runs after it
# jail: process
# plain: none (that it runs is seen only when the process ends; the name is what is refused)

import weakref


class Anything:
    pass


kept = Anything()
loot(weakref.finalize(kept, print, "after the end"))
