# A crawler over a pretended site with workers, limits and a timeout.
import asyncio
from collections import Counter

SITE = {
    "/": ["/a", "/b"],
    "/a": ["/c", "/"],
    "/b": ["/c", "/missing"],
    "/c": ["/d"],
    "/d": [],
}


class Crawler:
    def __init__(self, workers=2):
        self.queue = asyncio.Queue()
        self.seen = set()
        self.errors = []
        self.depths = {}
        self.workers = workers
        self.counts = Counter()

    async def fetch(self, url):
        await asyncio.sleep(0)
        if url not in SITE:
            raise LookupError(url)
        return SITE[url]

    def add(self, url, depth):
        if url not in self.seen:
            self.seen.add(url)
            self.queue.put_nowait((url, depth))

    async def worker(self, name):
        while True:
            url, depth = await self.queue.get()
            try:
                for link in await self.fetch(url):
                    self.add(link, depth + 1)
                self.depths[url] = depth
            except LookupError as error:
                self.errors.append(f"404 {error}")
            finally:
                self.counts[name] += 1
                self.queue.task_done()

    async def run(self, start):
        self.add(start, 0)
        tasks = [asyncio.create_task(self.worker(f"w{n}")) for n in range(self.workers)]
        async with asyncio.timeout(5):
            await self.queue.join()
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        print({type(outcome).__name__ for outcome in outcomes})
        return self.depths


async def main():
    crawler = Crawler()
    depths = await crawler.run("/")
    print(sorted(depths.items()), crawler.errors, sum(crawler.counts.values()))
    return max(depths.values())


asyncio.run(main())
