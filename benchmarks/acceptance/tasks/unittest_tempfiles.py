import unittest, tempfile, shutil, os, csv, json, glob, re, zipfile, tarfile, collections
from pathlib import Path
def archive(d, pat):
    os.makedirs("arch", exist_ok=True)
    z = os.path.join("arch", os.path.basename(d) + ".zip")
    with zipfile.ZipFile(z, "w") as f:
        for x in sorted(glob.glob(os.path.join(d, pat))): f.write(x, os.path.basename(x))
    return z
class T(unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.base = tempfile.mkdtemp(prefix="base_")
    @classmethod
    def tearDownClass(cls): shutil.rmtree(cls.base)
    def setUp(self):
        self.d = tempfile.TemporaryDirectory(dir=self.base); self.p = Path(self.d.name)
        for n in "ab": (self.p / f"{n}.txt").write_text(n * 3)
        (self.p / "sub").mkdir(); self.addCleanup(self.d.cleanup)
    def tearDown(self): shutil.rmtree("arch", ignore_errors=True)
    def test_zip(self): self.assertEqual(zipfile.ZipFile(archive(str(self.p), "*.txt")).namelist(), ["a.txt", "b.txt"])
    def test_move(self):
        shutil.move(self.p / "a.txt", self.p / "sub"); self.assertEqual([x.name for x in self.p.rglob("*.txt")].__len__(), 2); self.assertTrue((self.p / "sub/a.txt").is_file())
    def test_copytree(self): shutil.copytree(self.p, self.p.parent / "c"); self.assertEqual(sorted(os.listdir(self.p.parent / "c")), ["a.txt", "b.txt", "sub"])
    def test_archive(self): n = shutil.make_archive(str(self.p.parent / "x"), "gztar", self.p); self.assertTrue(n.endswith(".tar.gz")); print(sorted(tarfile.open(n).getnames()))
    def test_walk(self): self.assertEqual([(len(d), len(f)) for _, d, f in os.walk(self.p)], [(1, 2), (0, 0)])
    def test_perm(self): os.chmod(self.p / "a.txt", 0o600); self.assertEqual(oct((self.p / "a.txt").stat().st_mode)[-3:], "600")
    def test_symlink(self): os.symlink(self.p / "a.txt", self.p / "l"); self.assertEqual(Path(self.p / "l").resolve(), (self.p / "a.txt").resolve()); self.assertEqual((self.p / "l").read_text(), "aaa")
    def test_chdir(self):
        old = os.getcwd(); os.chdir(self.p); self.assertEqual(os.getcwd(), str(self.p)); self.assertTrue(os.path.exists("a.txt")); os.chdir(old)
    def test_missing(self):
        with self.assertRaises(FileNotFoundError): open(self.p / "none")
    def test_readonly(self):
        with self.assertRaises((PermissionError, OSError, FileNotFoundError)): open("/nonexistent/x", "w")
    def test_disk(self): self.assertGreater(shutil.disk_usage("/").total, 0); self.assertGreater(shutil.disk_usage(self.p).free, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
