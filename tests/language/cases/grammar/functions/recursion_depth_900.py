# A program may recurse 900 calls deep, as under CPython's usual limit.
def down(n):
    if n == 0:
        return 0
    return 1 + down(n - 1)


class Node:
    def __init__(self, next):
        self.next = next

    def length(self):
        return 1 + self.next.length() if self.next else 1


print(down(900))
node = None
for _ in range(900):
    node = Node(node)
print(node.length())
