# aim: inject source text by a field whose name changes
# mechanism: a subclass of Field with a property for its name
# language: builtins
# reason: the text that dataclasses writes is checked before it runs
# jail: process
# plain: loot

import dataclasses

Field = type(dataclasses.field())
one = dataclasses.field()


class Changing(Field):
    reads = 0
    name = property(lambda self: self.next_name(), lambda self, value: None)

    def next_name(self):
        Changing.reads += 1
        return "x, self.sink(open)" if Changing.reads >= LATER else "x"


for LATER in range(1, 12):
    Changing.reads = 0
    field = Changing(*[getattr(one, name) for name in "default default_factory init repr hash compare metadata kw_only".split()])
    try:
        @dataclasses.dataclass(init=False, repr=False, eq=False, unsafe_hash=True, match_args=False)
        class Record:
            x: int = field

            def sink(self, found):
                loot(found)
                return 0

        record = Record()
        record.x = 0
        hash(record)
    except (SyntaxError, TypeError, AttributeError):
        continue
