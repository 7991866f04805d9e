import json
import unittest


def resolve(document, pointer):
    """Resolve a JSON pointer (RFC 6901)."""
    if pointer == "":
        return document
    if not pointer.startswith("/"):
        raise ValueError(f"invalid pointer {pointer!r}")
    for token in pointer[1:].split("/"):
        token = token.replace("~1", "/").replace("~0", "~")
        document = document[int(token)] if isinstance(document, list) else document[token]
    return document


class TestResolve(unittest.TestCase):
    document = json.loads('{"a": {"b/c": [10, {"d~e": null}]}, "": 0}')

    def test_values(self):
        for pointer, expected in {"/a/b~1c/0": 10, "/a/b~1c/1/d~0e": None, "/": 0}.items():
            with self.subTest(pointer):
                self.assertEqual(resolve(self.document, pointer), expected)

    def test_errors(self):
        self.assertRaises(KeyError, resolve, self.document, "/x")
        self.assertRaises(IndexError, resolve, self.document, "/a/b~1c/9")
        with self.assertRaisesRegex(ValueError, "invalid"):
            resolve(self.document, "a")


unittest.main(exit=False)
print(json.dumps({"k": [1.0, float("nan"), "é"]}, ensure_ascii=False, separators=(",", ":")))
print(json.loads("[1.10]", parse_float=str), json.loads('{"a":1,"a":2}', object_pairs_hook=list))
