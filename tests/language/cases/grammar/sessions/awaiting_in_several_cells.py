# Each cell may await anew, and finished results are kept.
import asyncio

results = []


async def work(n):
    await asyncio.sleep(0)
    results.append(n)
    return n
# ---
await work(1)
# ---
a, b = await asyncio.gather(work(2), work(3))
# ---
asyncio.run(work(4))
# ---
print(results, a + b)
