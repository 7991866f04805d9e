import asyncio
import heapq

LINKS = {"/": ["/a", "/b"], "/a": ["/c", "/"], "/b": ["/c", "/d"], "/c": [], "/d": ["/a"]}


class Crawler:
    def __init__(self, limit):
        self.limit = asyncio.Semaphore(limit)
        self.depths = {}

    async def fetch(self, page):
        async with self.limit:
            await asyncio.sleep(0.001)
            return LINKS[page]

    async def crawl(self, page, depth=0):
        if page in self.depths:
            return
        self.depths[page] = depth
        links = await self.fetch(page)
        await asyncio.gather(*(self.crawl(link, depth + 1) for link in links))


async def main():
    crawler = Crawler(2)
    await crawler.crawl("/")
    print(sorted(crawler.depths.items()))
    queue = asyncio.PriorityQueue()
    for item in ((2, "b"), (1, "a")):
        queue.put_nowait(item)
    print(await queue.get(), heapq.nsmallest(1, LINKS))


asyncio.run(main())
