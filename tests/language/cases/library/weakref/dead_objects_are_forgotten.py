# Weak references do not keep their object alive and call back when it goes.
import weakref


class Node:
    def __init__(self, name, parent=None):
        self.name = name
        self.parent = weakref.ref(parent) if parent else None


root = Node("root")
child = Node("child", root)
print(child.parent().name)
registry = weakref.WeakValueDictionary()
registry["root"] = root
seen = weakref.WeakSet([root, child])
reference = weakref.ref(root, lambda r: print("called back"))
print(sorted(registry), len(seen))
del root
print(child.parent(), reference(), dict(registry), len(seen))
notes = weakref.WeakKeyDictionary()
notes[child] = "kept"
notes[child]
