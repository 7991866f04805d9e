# aim: have a template read attributes
# mechanism: string.Template with a pattern and an identifier of one's own
# language: run
# reason: a template looks names up in a mapping, and reads no attributes
# jail: process
# plain: none (templates read no attributes in plain Python either)
import string

class Wide(string.Template):
    idpattern = r"[a-z_.\[\]0-9]+"

class Space(dict):
    def __missing__(self, name):
        return name

loot(Wide("${a.__class__.__mro__} $a.__globals__").safe_substitute(Space(a=loot)))
