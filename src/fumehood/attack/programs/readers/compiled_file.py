# aim: write a file by compiling one
# mechanism: py_compile.compile
# language: check
# reason: the policy does not authorize linecache, py_compile
# jail: mount namespace, landlock
# plain: loot
import linecache, py_compile
py_compile.compile(linecache.__file__, cfile=scratch_path)
