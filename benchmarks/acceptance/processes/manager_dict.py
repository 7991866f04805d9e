from multiprocessing import Manager, Process


def tally(shared, words, name):
    for word in words:
        shared[f"{name}:{word}"] = len(word)


if __name__ == "__main__":
    with Manager() as manager:
        shared = manager.dict()
        processes = [
            Process(target=tally, args=(shared, words, name))
            for name, words in {"a": ["one", "three"], "b": ["fifteen"]}.items()
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        print(sorted(shared.items()))
