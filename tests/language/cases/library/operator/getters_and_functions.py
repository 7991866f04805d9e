# The getters attrgetter, itemgetter and methodcaller, and the operators as functions.
import operator
from operator import attrgetter, itemgetter, methodcaller
from types import SimpleNamespace

people = [
    SimpleNamespace(name="bo", home=SimpleNamespace(city="Rome")),
    SimpleNamespace(name="ann", home=SimpleNamespace(city="Oslo")),
]
print([p.name for p in sorted(people, key=attrgetter("name"))])
print([attrgetter("home.city", "name")(p) for p in people])
rows = [("a", 3), ("b", 1), ("c", 2)]
print(sorted(rows, key=itemgetter(1)), itemgetter(0, -1)("xyz"), itemgetter("k")({"k": 5}))
print(list(map(methodcaller("replace", "a", "o"), ["banana", "car"])), methodcaller("upper")("x"))
print(operator.add(1, 2), operator.truediv(7, 2), operator.contains([1], 1), operator.concat([1], [2]))
print(operator.lt(1, 2), operator.not_(0), operator.xor(5, 1), operator.index(True), operator.is_(None, None))
numbers = [1]
print(operator.iadd(numbers, [2]), numbers, operator.getitem(numbers, 0), operator.countOf("banana", "a"))
table = {"k": 1}
operator.setitem(table, "j", 2)
operator.delitem(table, "k")
OPERATIONS = {"+": operator.add, "*": operator.mul, "-": operator.sub, "^": operator.pow}
print(table, [OPERATIONS[sign](6, 3) for sign in "+*-^"])
try:
    attrgetter("age")(people[0])
except AttributeError as error:
    print(error)
operator.length_hint(iter([1, 2, 3]))
