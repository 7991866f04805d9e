# aim: have a file of translations run code
# mechanism: gettext.c2py evaluates the rule for plurals
# language: check
# reason: the policy does not authorize gettext
# jail: process
# plain: loot
import gettext
rule = gettext.c2py("n != 1")
loot(rule.__globals__)
