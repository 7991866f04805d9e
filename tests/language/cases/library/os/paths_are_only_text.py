# The pure functions of os.path work on text.
import os
import os.path
import os.path as path
from os.path import basename, join, splitext

print(join("a", "b", "c.txt"), os.path.join("a", "/b"), basename("/x/y.tar.gz"), os.path.dirname("/x/y"))
print(splitext("archive.tar.gz"), os.path.normpath("a/../b//c/."), os.path.isabs("/a"), path.split("/a/b"))
print(os.path.commonprefix(["/ab/c", "/ab/d"]), path.commonpath(["/a/b", "/a/c"]))
print(repr(os.sep), repr(os.linesep), os.curdir, os.pardir, os.extsep, os.pathsep)
os.path.join(*"abc")
