import multiprocessing
import sys


def child(connection):
    while True:
        message = connection.recv()
        if message == "stop":
            connection.close()
            sys.exit(7)
        connection.send(message.upper())


if __name__ == "__main__":
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=child, args=(there,), name="shouter")
    process.start()
    for word in ("hello", "world"):
        here.send(word)
        print(here.recv())
    here.send("stop")
    process.join(20)
    print(process.name, process.exitcode, process.is_alive())
    print(multiprocessing.current_process().name, multiprocessing.active_children())
