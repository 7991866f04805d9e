# aim: call globals, locals, vars and eval as default factories
# mechanism: the library calls the factory from its own generated function
# language: builtins
# reason: the guarded builtins look at the caller's namespace, and the caller is the library
# jail: process
# plain: loot

import dataclasses


@dataclasses.dataclass
class Record:
    a: object = dataclasses.field(default_factory=globals)
    b: object = dataclasses.field(default_factory=locals)
    c: object = dataclasses.field(default_factory=vars)


made = Record()
loot(made.a)
loot(made.b)
loot(made.c)
