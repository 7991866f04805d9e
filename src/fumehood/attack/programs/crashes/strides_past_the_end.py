# aim: read memory far behind an array
# mechanism: numpy.lib.stride_tricks.as_strided with strides of a page
# language: view
# reason: the module that code is given does not hold it
# jail: init
# plain: crashes
# expect: fault crash
# imports: numpy
# limits: memory_bytes=536870912
# hosts: root
import numpy
numpy.lib.stride_tricks.as_strided(numpy.zeros(1), shape=(1 << 30,), strides=(1 << 16,)).sum()
