# A trie with insertion, search, completion and deletion.
class Trie:
    __slots__ = ("children", "is_word")

    def __init__(self, words=()):
        self.children = {}
        self.is_word = False
        for word in words:
            self.insert(word)

    def insert(self, word):
        node = self
        for letter in word:
            node = node.children.setdefault(letter, Trie())
        node.is_word = True

    def _find(self, prefix):
        node = self
        for letter in prefix:
            if letter not in node.children:
                return None
            node = node.children[letter]
        return node

    def __contains__(self, word):
        node = self._find(word)
        return node is not None and node.is_word

    def complete(self, prefix=""):
        if (node := self._find(prefix)) is not None:
            yield from node._walk(prefix)

    def _walk(self, prefix):
        if self.is_word:
            yield prefix
        for letter in sorted(self.children):
            yield from self.children[letter]._walk(prefix + letter)

    def remove(self, word):
        if not word:
            self.is_word = False
        elif (child := self.children.get(word[0])) is not None:
            child.remove(word[1:])
            if not child.is_word and not child.children:
                del self.children[word[0]]

    def __len__(self):
        return self.is_word + sum(map(len, self.children.values()))


trie = Trie("car card care cat dog do".split())
print(len(trie), "car" in trie, "ca" in trie, list(trie.complete("car")), list(trie.complete("x")))
trie.remove("car")
trie.remove("dog")
trie.remove("nothing")
print(list(trie.complete()), len(trie), "dog" in trie)
try:
    trie.extra = 1
except AttributeError as error:
    print(type(error).__name__)
next(trie.complete("d"))
