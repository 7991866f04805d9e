# aim: start a pager through the help
# mechanism: pydoc.pipepager
# language: check
# reason: the policy does not authorize pydoc
# jail: process
# plain: loot
import pydoc
loot(pydoc.pipepager.__globals__)
