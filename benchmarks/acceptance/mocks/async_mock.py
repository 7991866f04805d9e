import asyncio
import unittest
from unittest.mock import AsyncMock, patch


class Client:
    async def get(self, path):
        raise ConnectionError(path)


async def load_all(client, paths):
    return await asyncio.gather(*(client.get(path) for path in paths), return_exceptions=True)


class TestLoad(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.client = AsyncMock(spec=Client)

    async def test_results(self):
        self.client.get.side_effect = lambda path: path.upper()
        self.assertEqual(await load_all(self.client, ["a", "b"]), ["A", "B"])
        self.client.get.assert_awaited_with("b")

    async def test_errors(self):
        found = await load_all(Client(), ["x"])
        self.assertIsInstance(found[0], ConnectionError)

    @patch.object(Client, "get", new_callable=AsyncMock, return_value=1)
    async def test_patch(self, get):
        self.assertEqual(await load_all(Client(), "ab"), [1, 1])
        self.assertEqual(get.await_count, 2)


unittest.main(exit=False)
