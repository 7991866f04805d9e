# aim: have the host's libraries call methods of a value
# mechanism: __array__, __array_interface__, __dataframe__, __arrow_c_stream__ and __fspath__
# language: check
# reason: __array_interface__: raw memory addresses
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held
# host: state
# hosts: root
class Everything:
    __array_interface__ = {"shape": (1 << 20,), "typestr": "<f8", "data": (4096, False), "version": 3}
    __array_priority__ = 1e9
    def __array__(self, *arguments, **keywords):
        raise SystemExit("called")
    __dataframe__ = __arrow_c_stream__ = __arrow_c_array__ = __fspath__ = __index__ = __float__ = __bytes__ = __array__

value = Everything()
value
# ---
"held: the host is still there"
