import getpass, unittest, io, sys, cmd, shlex, readline, textwrap, gettext, string, random
from unittest.mock import patch
with patch("getpass.getpass", return_value="pw"): print(getpass.getpass())
class C(cmd.Cmd):
    def do_hi(self, a): print("hi", a)
    def do_q(self, a): return True
C(stdin=io.StringIO("hi x\nq\n")).onecmd("hi there"); sys.stdin = io.StringIO("5\n6\n"); print(int(input()) + int(input())); print(shlex.split("a 'b c'"), getpass.getuser() != "")
