"""CPython's own regression tests, run in the jail and in plain CPython, compared test by test.

python -m tests.cpython                 run all modules and print every difference
python -m tests.cpython test_mmap ...   only these
"""
