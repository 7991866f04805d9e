# UserDict, UserList and a dict with __missing__ take new behaviour from a subclass.
import collections


class LowerDict(collections.UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)

    def __getitem__(self, key):
        return super().__getitem__(key.lower())


class Stack(collections.UserList):
    def push(self, item):
        self.append(item)


class Squares(dict):
    def __missing__(self, key):
        self[key] = key * key
        return self[key]


headers = LowerDict({"Content-Type": "text"})
headers["ACCEPT"] = "all"
print(headers, headers["Accept"], headers.data)
stack = Stack([1])
stack.push(2)
print(stack + [3], stack[-1])
squares = Squares()
print(squares[4], squares[5], squares)
