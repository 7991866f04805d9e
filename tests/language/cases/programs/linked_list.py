# A linked list with the protocols of a sequence, reversal and merging.
class LinkedList:
    class _Node:
        __slots__ = ("value", "next")

        def __init__(self, value, next=None):
            self.value, self.next = value, next

    def __init__(self, values=()):
        self._head, self._size = None, 0
        for value in reversed(list(values)):
            self.push(value)

    def push(self, value):
        self._head = self._Node(value, self._head)
        self._size += 1

    def pop(self):
        if self._head is None:
            raise IndexError("pop from an empty list")
        value, self._head = self._head.value, self._head.next
        self._size -= 1
        return value

    def reverse(self):
        previous, node = None, self._head
        while node:
            node.next, previous, node = previous, node, node.next
        self._head = previous
        return self

    def __iter__(self):
        node = self._head
        while node:
            yield node.value
            node = node.next

    def __len__(self):
        return self._size

    def __getitem__(self, index):
        if isinstance(index, slice):
            return LinkedList(list(self)[index])
        if index < 0:
            index += len(self)
        for position, value in enumerate(self):
            if position == index:
                return value
        raise IndexError("list index out of range")

    def __eq__(self, other):
        return isinstance(other, LinkedList) and list(self) == list(other)

    def __repr__(self):
        return " -> ".join(map(repr, self)) or "empty"

    @staticmethod
    def merge(a, b):
        result, a, b = [], list(a), list(b)
        while a and b:
            result.append((a if a[0] <= b[0] else b).pop(0))
        return LinkedList(result + a + b)


items = LinkedList("abcd")
print(items, len(items), items[-1], items[1:3], "c" in items, items.pop())
print(items.reverse(), LinkedList(), LinkedList([1]) == LinkedList([1]), [*items])
for action in (lambda: items[10], lambda: LinkedList().pop()):
    try:
        action()
    except IndexError as error:
        print(error)
LinkedList.merge(LinkedList([1, 4, 9]), LinkedList([2, 3, 10, 11]))
