# aim: read globals from the method of an object made by a library factory
# mechanism: a string template's substitute method
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import string

loot(string.Template("x").substitute.__func__.__globals__)
