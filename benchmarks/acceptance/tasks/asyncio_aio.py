import asyncio, time, random
import aiohttp
from unittest.mock import patch, AsyncMock, MagicMock
async def fetch(u):
    async with aiohttp.ClientSession() as s:
        async with s.get(u) as r: return await r.text()
async def main():
    with patch("aiohttp.ClientSession.get") as g:
        g.return_value.__aenter__.return_value.text = AsyncMock(return_value="body")
        print(await fetch("http://x"))
    p = asyncio.Queue(); await asyncio.gather(*(p.put(i) for i in range(3))); print(p.qsize())
    async with asyncio.TaskGroup() as tg: t = tg.create_task(asyncio.sleep(0, "t"))
    print(t.result()); print(await asyncio.wait_for(asyncio.to_thread(time.sleep, .01), 1))
    try: await asyncio.wait_for(asyncio.sleep(9), .01)
    except asyncio.TimeoutError: print("timeout")
asyncio.run(main())
loop = asyncio.new_event_loop(); asyncio.set_event_loop(loop); print(loop.run_until_complete(asyncio.sleep(0, 5))); loop.close()
