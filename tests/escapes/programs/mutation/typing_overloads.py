# Clear what typing remembers for the host.
# mechanism: typing.clear_overloads
# stopped by: run
# reason: library data are shared by every session and by the host
# control: none (the registry is empty in the test process; what is tested is that nothing of the host changes)

import typing

typing.clear_overloads()
