# aim: clear what typing remembers for the host
# mechanism: typing.clear_overloads
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: none (the registry is empty in the test process; what is tested is that nothing of the host changes)

import typing

typing.clear_overloads()
