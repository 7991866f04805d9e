import doctest
from pathlib import Path

Path("tutorial.txt").write_text(
    """A tutorial
==========

>>> x = 3
>>> x ** 2
9
>>> factor * x
30
"""
)
print(doctest.testfile("tutorial.txt", module_relative=False, globs={"factor": 10}))
finder = doctest.DocTestFinder()


def sample():
    """
    >>> 1 + 1
    2
    """


runner = doctest.DocTestRunner()
for test in finder.find(sample, "sample", globs={}):
    print(test.name, len(test.examples), test.examples[0].source.strip(), runner.run(test))
doctest.run_docstring_examples(sample, {}, name="sample")
print("done")
