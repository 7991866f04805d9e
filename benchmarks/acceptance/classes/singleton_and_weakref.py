import copy
import gc
import weakref


class Singleton:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance


class Node:
    def __init__(self, name, parent=None):
        self.name, self.children = name, []
        self.parent = weakref.ref(parent) if parent else None
        if parent:
            parent.children.append(self)

    def __deepcopy__(self, memo):
        clone = Node(self.name + "'")
        memo[id(self)] = clone
        for child in self.children:
            copied = copy.deepcopy(child, memo)
            copied.parent = weakref.ref(clone)
            clone.children.append(copied)
        return clone


print(Singleton() is Singleton())
root = Node("root")
child = Node("child", root)
print(child.parent().name)
clone = copy.deepcopy(root)
print(clone.name, clone.children[0].name, clone.children[0].parent() is clone)
cache = weakref.WeakValueDictionary(root=root)
finalized = []
weakref.finalize(root, finalized.append, "gone")
del root
gc.collect()
print(child.parent(), list(cache), finalized)
