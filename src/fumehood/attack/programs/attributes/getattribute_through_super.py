# aim: take the attribute primitive out of a super object
# mechanism: an unbound use of super().__getattribute__
# language: builtins
# reason: a raw primitive reads any attribute by computed name
# jail: process
# plain: loot

class Thing:
    def primitive(self):
        return super().__getattribute__


loot(Thing().primitive())
