import asyncio


async def worker(name, jobs, done):
    while True:
        job = await jobs.get()
        await asyncio.sleep(0)
        done.append(job * job)
        jobs.task_done()


async def main():
    jobs, done = asyncio.Queue(maxsize=4), []
    workers = [asyncio.create_task(worker(n, jobs, done)) for n in range(3)]
    for job in range(10):
        await jobs.put(job)
    await jobs.join()
    for task in workers:
        task.cancel()
    outcome = await asyncio.gather(*workers, return_exceptions=True)
    print(sorted(done), {type(o).__name__ for o in outcome})


asyncio.run(main())
