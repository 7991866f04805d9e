import unittest, types, io, sys, random
code = "import random\ndef task_func(n):\n    random.seed(n)\n    return [random.randint(0, 9) for _ in range(3)]\n"
test = "import unittest\nclass TestCases(unittest.TestCase):\n    def test_a(self): self.assertEqual(len(task_func(1)), 3)\n    def test_b(self): self.assertEqual(task_func(1), [0, 0, 0])\n"
m = types.ModuleType("__test__"); m.__dict__.update({"__builtins__": __builtins__, "__file__": "__test__.py", "__package__": None}); sys.modules["__test__"] = m
exec(compile(code + "\n" + test, "__test__.py", "exec"), m.__dict__)
r = unittest.TestResult(); unittest.TestLoader().loadTestsFromTestCase(m.TestCases).run(r)
print(r.testsRun, [(t.id(), e.splitlines()[-3]) for t, e in r.failures], r.errors)
