# Attributes are read, set and deleted, and a missing one names its type.
class Thing:
    kind = "class attribute"


t = Thing()
t.kind = "own"
t.next = Thing()
t.next.value = 5
print(t.kind, Thing.kind, t.next.kind, t.next.value)
del t.kind
print(t.kind)
try:
    t.missing
except AttributeError as error:
    print(error, "|", error.name)
