import hashlib


def digest(data):
    return hashlib.sha256(data).digest()


class MerkleTree:
    def __init__(self, blocks):
        self.levels = [[digest(block) for block in blocks]]
        while len(self.levels[-1]) > 1:
            level = self.levels[-1]
            if len(level) % 2:
                level = level + [level[-1]]
            self.levels.append([digest(level[i] + level[i + 1]) for i in range(0, len(level), 2)])

    @property
    def root(self):
        return self.levels[-1][0]

    def proof(self, index):
        path = []
        for level in self.levels[:-1]:
            sibling = index ^ 1
            path.append((sibling < index, level[min(sibling, len(level) - 1)]))
            index //= 2
        return path

    @staticmethod
    def verify(block, path, root):
        current = digest(block)
        for is_left, sibling in path:
            current = digest(sibling + current if is_left else current + sibling)
        return current == root


tree = MerkleTree([b"a", b"b", b"c", b"d", b"e"])
print(tree.root.hex()[:16], [len(level) for level in tree.levels])
print([MerkleTree.verify(block, tree.proof(i), tree.root) for i, block in enumerate([b"a", b"b", b"c", b"d", b"e"])])
print(MerkleTree.verify(b"x", tree.proof(0), tree.root))
