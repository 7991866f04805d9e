import sqlite3, pandas as pd, unittest, os
class T(unittest.TestCase):
    def setUp(self): self.c = sqlite3.connect("t.db"); self.c.execute("create table if not exists u (id integer primary key, n text)"); self.c.executemany("insert into u(n) values (?)", [("a",), ("b",)]); self.c.commit()
    def tearDown(self): self.c.close(); os.remove("t.db")
    def test(self): self.assertEqual(pd.read_sql_query("select n from u order by id", self.c).n.tolist(), ["a", "b"])
    def test_to(self): pd.DataFrame({"q": [1]}).to_sql("w", self.c, index=False, if_exists="replace"); self.assertEqual(self.c.execute("select * from w").fetchall(), [(1,)])
    def test_err(self):
        with self.assertRaises(sqlite3.OperationalError): self.c.execute("select * from nope")
    def test_pragma(self): self.c.execute("pragma journal_mode=wal"); self.c.execute("insert into u(n) values ('z')"); self.c.commit(); self.assertEqual(sqlite3.connect("t.db").execute("select count(*) from u").fetchone()[0], 3)
    def test_lock(self):
        d = sqlite3.connect("t.db", timeout=.1); self.c.execute("begin exclusive")
        with self.assertRaises(sqlite3.OperationalError): d.execute("insert into u(n) values ('q')")
        self.c.rollback(); d.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
