import unittest, asyncio
class T(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self): self.x = await asyncio.sleep(0, 3)
    async def test(self): self.assertEqual(self.x, 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
