# aim: keep a native library busy, which computes in threads of its own
# mechanism: numpy.linalg.svd of a large matrix
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout | fault memory | error MemoryError
# imports: numpy
# limits: memory_bytes=1073741824 cell_seconds=0.5
# hosts: root
import numpy
matrix = numpy.arange(9_000_000, dtype=float).reshape(3000, 3000) % 17
numpy.linalg.svd(matrix @ matrix.T)[1].sum()
