import subprocess, unittest, os, sys, platform, shlex
from unittest.mock import patch, MagicMock
def run(c):
    p = subprocess.Popen(c, shell=True, stdout=subprocess.PIPE); out, _ = p.communicate(); return out.decode()
class T(unittest.TestCase):
    @patch("subprocess.Popen")
    def test(self, p): p.return_value.communicate.return_value = (b"ok", None); self.assertEqual(run("ls"), "ok")
    @patch("subprocess.run")
    def test_run(self, r): r.return_value = MagicMock(returncode=0); self.assertEqual(subprocess.run(["x"]).returncode, 0)
    @patch("subprocess.check_output", side_effect=subprocess.CalledProcessError(1, "x"))
    def test_err(self, c):
        with self.assertRaises(subprocess.CalledProcessError): subprocess.check_output("x")
    @patch("os.system", return_value=3)
    def test_sys(self, s): self.assertEqual(os.system("x"), 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
