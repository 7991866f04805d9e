# aim: let catch_warnings read and write attributes of a module of choice
# mechanism: the module keyword is stored and its filters are written
# language: view
# reason: library modules are shared by every session and by the host
# jail: process
# plain: loot

import warnings


class Module:
    filters = []

    def showwarning(self):
        pass

    def __getattr__(self, name):
        return lambda *args: None


manager = warnings.catch_warnings(module=Module())
manager._module = warnings
with manager:
    loot(warnings.catch_warnings()._module)
