# aim: spell a name with characters that Python's parser turns into others
# mechanism: operator.attrgetter, if it compiles the name that it has checked
# language: builtins
# reason: names are normalized before they are looked up
# jail: process
# plain: none (operator.attrgetter does not normalize names)

import operator
import string

loot(operator.attrgetter("substitute.__globals\uff3f\uff3f")(string.Template))
