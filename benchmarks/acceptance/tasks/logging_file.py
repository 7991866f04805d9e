import logging, logging.handlers, os, unittest, sys
class T(unittest.TestCase):
    def test_file(self):
        l = logging.getLogger("app"); h = logging.FileHandler("app.log"); h.setFormatter(logging.Formatter("%(levelname)s:%(name)s:%(message)s")); l.addHandler(h); l.setLevel("INFO"); l.propagate = False
        l.info("hello %d", 1); l.debug("no"); h.close(); self.assertEqual(open("app.log").read(), "INFO:app:hello 1\n")
    def test_rotating(self):
        l = logging.getLogger("rot"); h = logging.handlers.RotatingFileHandler("r.log", maxBytes=50, backupCount=2); l.addHandler(h)
        for i in range(20): l.warning("message %d", i)
        h.close(); self.assertEqual(sorted(x for x in os.listdir(".") if x.startswith("r.log")), ["r.log", "r.log.1", "r.log.2"])
    def test_assert_logs(self):
        with self.assertLogs("x", "ERROR") as cm: logging.getLogger("x").error("bad")
        self.assertEqual(cm.output, ["ERROR:x:bad"])
    def test_basic(self):
        logging.basicConfig(stream=sys.stdout, format="%(funcName)s %(message)s", force=True); logging.warning("m"); logging.basicConfig(force=True)


if __name__ == "__main__":
    unittest.main(verbosity=1)
