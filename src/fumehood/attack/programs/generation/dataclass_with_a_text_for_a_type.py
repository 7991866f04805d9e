# aim: have a generated function evaluate a type that is a text
# mechanism: dataclasses reads the text of an annotation to find ClassVar
# language: run
# reason: the text is looked at and never run
# jail: process
# plain: none (the library only looks at it)
import dataclasses

@dataclasses.dataclass
class Record:
    a: "__import__('os').system('true')" = 1
    b: "typing.ClassVar[__import__('os')]" = 2

loot(Record())
