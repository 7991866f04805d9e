"""The filter that is made from the table: its verdict on every call, by simulator for both
architectures, and what programs see of it.

The simulator is how the aarch64 filter is tested on other machines. That it simulates rightly is
shown by the x86-64 filter, which runs in the real kernel too.
"""

from __future__ import annotations

import errno
import importlib.util
import itertools
import os
import random
import signal
import struct
import subprocess
import sys
import textwrap
from collections.abc import Iterator

import pytest

from fumehood.errors import JailUnavailable
from fumehood.jail import kernel
from fumehood.jail.seccomp import ARCHITECTURES, build_filter
from fumehood.jail.syscalls import ROWS, Check, Row, rows

ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
WHOLE = 0xFFFF_FFFF_FFFF_FFFF
OWN_PID = 4711

Jail = tuple[bool, "int | None"]
JAILS: list[Jail] = [(True, None), (False, None), (True, OWN_PID), (False, OWN_PID)]

real_kernel = pytest.mark.skipif(
    sys.platform != "linux" or kernel.MACHINE not in ARCHITECTURES,
    reason="no filter for this machine",
)
IDENTITIES = [
    pytest.param("as it is", id="as-it-is"),
    pytest.param(
        "nobody",
        marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody"),
        id="nobody",
    ),
]


# -- a simulator of classic BPF, as far as filters use it

Program = list[tuple[int, int, int, int]]


def _decode(program: bytes) -> Program:
    return list(struct.iter_unpack("<HBBI", program))


def _simulate(program: Program, arch: int, number: int, args: tuple[int, ...]) -> int:
    """The verdict. IndexError for a program that runs out of its end, KeyError for an instruction
    that is none of ours."""
    data = struct.pack("<IIQ6Q", number, arch, 0, *(value & WHOLE for value in args))
    register = place = 0
    while True:
        code, if_true, if_false, operand = program[place]
        place += 1
        if code == 0x06:
            return operand
        if code == 0x20:
            (register,) = struct.unpack_from("<I", data, operand)
        elif code == 0x54:
            register &= operand
        elif code == 0x05:
            place += operand
        else:
            holds = {0x15: register == operand, 0x35: register >= operand}[code]
            place += if_true if holds else if_false


def _expected(row: Row | None, args: tuple[int, ...], processes: bool, own_pid: int | None) -> int:
    """What the table says, read once more and not by way of the engine."""
    if row is None:
        return ERRNO | errno.ENOSYS
    has = {
        "processes": processes,
        "pid namespace": own_pid is None,
        None: False,
    }
    if row.verdict == "refuse" or (row.needs and not has[row.needs]):
        return ERRNO | row.errno
    for check in row.checks:
        values = (own_pid,) if check.values == "own pid" else check.values
        asked = not has[check.unless]
        if check.when is not None:
            asked = asked and args[check.when[0]] % (1 << 32) == check.when[1]
        if check.unless_value is not None:
            asked = asked and args[check.unless_value[0]] % (1 << 32) != check.unless_value[1]
        if (
            asked
            and (args[check.argument] % (1 << check.bits) & check.mask in values) is check.refuses
        ):
            return ERRNO | (row.errno if check.errno is None else check.errno)
    return ALLOW


def _samples(row: Row | None, bits: range) -> Iterator[tuple[int, ...]]:
    """Arguments to try: some of every kind, and for checked ones each value, its neighbours, and
    each value with one of `bits` turned."""
    seeded = random.Random(row.name if row else "none")
    yield (0,) * 6
    yield (WHOLE,) * 6
    if row is None or not row.checks:
        yield tuple(seeded.getrandbits(64) for _ in range(6))
        return
    good = [0] * 6
    for check in row.checks:
        good[check.argument] |= OWN_PID if check.values == "own pid" else check.values[0]
    yield tuple(good)
    for check in row.checks:
        for value in (OWN_PID,) if check.values == "own pid" else check.values:
            for tried in (
                value,
                value + 1,
                value - 1,
                *(value ^ 1 << bit for bit in bits),
                value | seeded.getrandbits(64),
            ):
                yield tuple(
                    tried & WHOLE if place == check.argument else kept
                    for place, kept in enumerate(good)
                )
                if check.when is not None:
                    args = [
                        tried & WHOLE if place == check.argument else kept
                        for place, kept in enumerate(good)
                    ]
                    args[check.when[0]] = check.when[1]
                    yield tuple(args)
                if check.unless_value is not None:
                    args = [
                        tried & WHOLE if place == check.argument else kept
                        for place, kept in enumerate(good)
                    ]
                    for other in (check.unless_value[1] ^ 1, check.unless_value[1] | 1 << 32):
                        args[check.unless_value[0]] = other
                        yield tuple(args)


def _disagreements(
    arch: str, jail: Jail, rows: tuple[Row, ...] = ROWS, bits: range = range(64)
) -> list[str]:
    processes, own_pid = jail
    program = _decode(build_filter(arch, processes=processes, own_pid=own_pid, rows=rows))
    by_number = {row.number(arch): row for row in rows}
    found = []
    for number in [*range(600), 1023, 1 << 16, (1 << 30) - 1]:
        row = by_number.get(number)
        for args in _samples(row, bits):
            got, wanted = (
                _simulate(program, ARCHITECTURES[arch], number, args),
                _expected(row, args, *jail),
            )
            if got != wanted:
                found.append(
                    f"{row.name if row else number}{tuple(map(hex, args))}: {got:#x}, the table"
                    f" says {wanted:#x}"
                )
    return found


@pytest.mark.parametrize("jail", JAILS, ids=["free", "no-processes", "bare-with-processes", "bare"])
@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("programs", [False, True], ids=["", "programs"])
def test_the_filter_decides_every_call_as_the_table_says(
    arch: str, jail: Jail, programs: bool
) -> None:
    assert _disagreements(arch, jail, rows(programs=programs)) == []


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_calls_of_another_architecture_end_the_process(arch: str) -> None:
    program = _decode(build_filter(arch, processes=True, own_pid=None))
    others = {0x4000_0003, 0x4000_0028, 0xC000_003E, 0xC000_00B7, 0, 0xFFFF_FFFF} - {
        ARCHITECTURES[arch]
    }
    assert {
        _simulate(program, other, number, (0,) * 6)
        for other in others
        for number in (0, 1, 39, 59, 172)
    } == {KILL}


def test_x32_calls_end_the_process_and_on_aarch64_there_are_none() -> None:
    for arch, verdict in (("x86_64", KILL), ("aarch64", ERRNO | errno.ENOSYS)):
        program = _decode(build_filter(arch, processes=True, own_pid=None))
        for number in (
            0x4000_0000,
            0x4000_0027,
            0x4000_0208,
            0x7FFF_FFFF,
            0x8000_0000,
            0xFFFF_FFFF,
        ):
            assert _simulate(program, ARCHITECTURES[arch], number, (0,) * 6) == verdict, hex(number)


def test_64_bit_arguments_are_compared_in_both_halves() -> None:
    for value in (0, 2, 0x1_0000_0002, 0xFFFF_FFFF_0000_0000):
        checks = (
            Check(5, (value,), "a test", bits=64),
            Check(1, (0x5_0000_0000,), "a test", 0xF_0000_0000, bits=64),
        )
        row = Row("made up", 7, 7, "allow", "a test", checks, errno.EXDEV)
        for arch, jail in itertools.product(ARCHITECTURES, JAILS):
            assert _disagreements(arch, jail, (row,)) == []


def test_64_bits_are_compared_with_one_value_only() -> None:
    for change in ({"values": (0, 1)}, {"values": (0,), "refuses": True}):
        with pytest.raises(ValueError, match="one value"):
            Check(**{"argument": 0, "means": "a test", "bits": 64} | change)  # type: ignore[arg-type]


def test_a_table_larger_than_a_comparison_can_jump_over_works() -> None:
    values = tuple(range(0, 200, 2))
    rows = tuple(
        Row(f"call {n}", n, n, "allow", "a test", (Check(n % 6, values[n:] or values, "a test"),))
        for n in range(0, 90, 3)
    )
    assert len(build_filter("x86_64", processes=True, own_pid=None, rows=rows)) // 8 > 1024
    assert _disagreements("x86_64", (True, None), rows, bits=range(0)) == []


@pytest.mark.parametrize("values", range(250, 256))
def test_jumps_around_the_longest_that_a_comparison_can_make_are_right(values: int) -> None:
    row = Row("made up", 0, 0, "allow", "a test", (Check(0, tuple(range(values)), "a test"),))
    assert _disagreements("x86_64", (True, None), (row,), bits=range(0)) == []


def test_a_table_too_large_for_the_kernel_is_an_error() -> None:
    check = Check(0, tuple(range(250)), "a test")
    rows = [Row(f"call {n}", n, n, "allow", "a test", (check,)) for n in range(0, 40, 2)]
    with pytest.raises(ValueError, match="the kernel takes 4096"):
        build_filter("x86_64", processes=True, own_pid=None, rows=rows)


def test_two_rows_for_one_number_are_an_error() -> None:
    rows = [Row("one", 1, 1, "allow", "a test"), Row("other", 2, 1, "refuse", "a test")]
    build_filter("x86_64", processes=True, own_pid=None, rows=rows)
    with pytest.raises(
        ValueError, match="two rows for system call 1 on aarch64; the second is other"
    ):
        build_filter("aarch64", processes=True, own_pid=None, rows=rows)


def test_an_empty_table_allows_nothing() -> None:
    assert _disagreements("x86_64", (True, None), ()) == []


@pytest.mark.parametrize("arch", ["riscv64", "i686", "", "X86_64"])
def test_a_machine_without_a_table_gets_no_filter(arch: str) -> None:
    with pytest.raises(JailUnavailable, match="no system-call filter for"):
        build_filter(arch, processes=True, own_pid=None)


@pytest.mark.parametrize(
    ("processes", "own_pid"),
    [(1, None), (None, None), (True, 0), (True, -1), (True, True), (True, 1 << 23), (True, "1")],
)
def test_options_of_another_kind_are_an_error(processes: object, own_pid: object) -> None:
    with pytest.raises(ValueError, match="must be"):
        build_filter("x86_64", processes=processes, own_pid=own_pid)  # type: ignore[arg-type]


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_a_verdict_is_reached_in_few_steps_and_the_program_is_short(arch: str) -> None:
    """Also that each unchecked call is decided by number and architecture alone, which is what lets
    the kernel remember it as allowed."""
    program = _decode(build_filter(arch, processes=True, own_pid=None))
    assert len(program) < 600
    for row in ROWS:
        number = row.number(arch)
        if number is None or row.checks:
            continue
        place = steps = 0
        while program[place][0] != 0x06:
            code, if_true, if_false, operand = program[place]
            assert code != 0x20 or operand in (0, 4), f"{row.name} is decided by an argument"
            if code == 0x20:
                register = number if operand == 0 else ARCHITECTURES[arch]
            place += 1
            if code == 0x05:
                place += operand
            elif code != 0x20:
                place += (
                    if_true
                    if (register == operand if code == 0x15 else register >= operand)
                    else if_false
                )
            steps += 1
        assert steps <= 24, row.name


# -- the real kernel

_PROLOGUE = """
import errno, os, resource, sys
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
from fumehood.jail import kernel
from fumehood.jail.seccomp import build_filter

from fumehood.jail.kernel import Script

def install(program):
    script = Script(0)
    script.gain_no_privileges()
    script.filter_system_calls(program)
    script.run()

def close_the_door(identity="as it is", processes=True):
    program = build_filter(kernel.MACHINE, processes=processes, own_pid=None)
    if identity == "nobody":
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    install(program)
"""


def _run(body: str, *args: str) -> subprocess.CompletedProcess[str]:
    code = _PROLOGUE + textwrap.dedent(body)
    return subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, cwd="/"
    )


@real_kernel
@pytest.mark.skipif(kernel.MACHINE != "x86_64", reason="only x86-64 has x32 calls")
def test_an_x32_call_is_killed_by_the_kernel() -> None:
    done = _run(
        "import ctypes\nclose_the_door()\nctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 |"
        " 39))\nprint('still here')"
    )
    assert (done.returncode, done.stdout) == (-signal.SIGSYS, ""), done.stderr


@real_kernel
@pytest.mark.skipif(kernel.MACHINE != "x86_64", reason="only x86-64 has 32-bit calls")
def test_a_32_bit_call_is_killed_by_the_kernel() -> None:
    body = """
        import ctypes, mmap
        page = mmap.mmap(-1, 4096, prot=7)
        page.write(bytes.fromhex("b814000000 cd80 c3"))  # getpid, by the 32-bit way in
        getpid = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
        if sys.argv[1] == "closed":
            close_the_door()
        print(getpid() == os.getpid())
    """
    if _run(body, "open").stdout != "True\n":
        pytest.skip("this kernel has no 32-bit calls")
    assert _run(body, "closed").returncode == -signal.SIGSYS


@real_kernel
def test_a_filter_holds_for_threads_and_children_and_cannot_be_taken_off() -> None:
    body = """
        import socket, threading
        close_the_door()
        def try_it():
            try:
                socket.socket()
            except PermissionError:
                print("refused", flush=True)
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()
        if not os.fork():
            try_it()
            os._exit(0)
        os.wait()
        try:
            install(bytes.fromhex("0600 00 00 0000ff7f"))
        except PermissionError:
            print("stays", flush=True)
    """
    assert _run(body).stdout.splitlines() == ["refused", "refused", "stays"]


@real_kernel
def test_threads_run_and_processes_do_not_where_only_threads_are_allowed() -> None:
    body = """
        import subprocess, threading
        close_the_door(processes=False)
        thread = threading.Thread(target=print, args=["thread"])
        thread.start()
        thread.join()
        for start in (os.fork, lambda: subprocess.run(["true"]), lambda: os.posix_spawn("/bin/true", ["true"], {})):
            try:
                start()
            except PermissionError:
                print("refused")
    """
    done = _run(body)
    assert done.stdout.splitlines() == ["thread", "refused", "refused", "refused"], done.stderr


# Programs as code under test writes them. Each runs in a process of its own, forked after the
# filter was installed.
_EVERYDAY = """
import asyncio, bz2, collections, csv, ctypes, datetime, decimal, fcntl, gzip, hashlib, io, json, lzma, mmap, pathlib, pickle, platform, queue
import random, select, shutil, signal, socket, sqlite3, statistics, subprocess, tarfile, tempfile, threading, time, uuid, zipfile, zoneinfo
# What the programs would import late, and cannot as nobody if the interpreter lies in somebody's home.
import concurrent.futures.thread, encodings.cp437, multiprocessing.popen_fork, secrets

def files():
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name)
        (path / "a.txt").write_text("x" * 100_000)
        shutil.copy2(path / "a.txt", path / "b.txt")
        shutil.copytree(path, path.with_name(path.name + "-copy"))
        shutil.move(path / "b.txt", path / "c.txt")
        (path / "link").symlink_to("a.txt")
        assert sorted(p.name for p in path.iterdir()) == ["a.txt", "c.txt", "link"]
        assert (path / "link").resolve().read_text() == (path / "c.txt").read_text()
        os.truncate(path / "c.txt", 10)
        os.chmod(path / "c.txt", 0o600)
        os.utime(path / "c.txt", (1, 1))
        with open(path / "a.txt", "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
            mapped[0:1] = b"y"
            mapped.flush()
            os.fsync(file.fileno())
        shutil.rmtree(path.with_name(path.name + "-copy"))
        shutil.disk_usage(path)

def archives():
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name)
        (path / "a").write_bytes(b"a" * 1000)
        for module in (gzip, bz2, lzma):
            with module.open(path / "z", "wb") as file:
                file.write(b"abc" * 1000)
            assert module.open(path / "z").read() == b"abc" * 1000
        shutil.make_archive(str(path / "t"), "gztar", path, "a")
        with tarfile.open(path / "t.tar.gz") as archive:
            archive.extractall(path / "out", **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))  # since 3.11.4
        with zipfile.ZipFile(path / "x.zip", "w") as archive:
            archive.write(path / "a", "a")
        assert zipfile.ZipFile(path / "x.zip").read("a") == b"a" * 1000

def text_and_numbers():
    assert json.loads(json.dumps({"a": [1, 2.5, None]})) == {"a": [1, 2.5, None]}
    rows = io.StringIO()
    csv.writer(rows).writerows([[1, 2], [3, 4]])
    assert decimal.Decimal(2).sqrt() > 1 and statistics.mean([1, 2]) == 1.5
    assert 0 <= random.SystemRandom().random() < 1 and uuid.uuid4() != uuid.uuid4()
    hashlib.sha256(os.urandom(100)).hexdigest()
    pickle.loads(pickle.dumps(collections.Counter("abc")))

def clocks():
    time.sleep(0.001)
    assert time.time() > 0 and time.monotonic() > 0 and time.process_time() >= 0
    datetime.datetime.now(zoneinfo.ZoneInfo("UTC")), time.localtime(), os.times(), resource.getrusage(resource.RUSAGE_SELF)

def signals():
    seen = []
    signal.signal(signal.SIGALRM, lambda *_: seen.append("alarm"))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    signal.pause()
    signal.signal(signal.SIGUSR1, lambda *_: seen.append("user"))
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.raise_signal(signal.SIGUSR1)
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
    assert seen == ["alarm", "user", "user", "user"]

def threads():
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda n: n * n, range(100))) == 328350
    box = queue.Queue()
    workers = [threading.Thread(target=box.put, args=[n]) for n in range(20)]
    [worker.start() for worker in workers], [worker.join() for worker in workers]
    assert box.qsize() == 20
    assert not threading.Event().wait(0.001)

def processes():
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.write(writer, b"hello")
        os._exit(7)
    assert os.read(reader, 10) == b"hello" and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    worker = multiprocessing.get_context("fork").Process(target=int)
    worker.start()
    worker.join()
    assert worker.exitcode == 0

def waiting():
    reader, writer = os.pipe()
    os.write(writer, b"x")
    assert select.select([reader], [], [], 0)[0] == [reader]
    poll = select.poll()
    poll.register(reader)
    assert poll.poll(0)
    with select.epoll() as epoll:
        epoll.register(reader)
        assert epoll.poll(0)

def databases():
    with tempfile.TemporaryDirectory() as name:
        base = sqlite3.connect(name + "/base")
        base.execute("pragma journal_mode = wal")
        base.execute("create table t (x)")
        base.executemany("insert into t values (?)", [(n,) for n in range(100)])
        base.commit()
        assert base.execute("select sum(x) from t").fetchone() == (4950,)
        base.close()

def foreign_code():
    sort = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))(lambda a, b: a[0] - b[0])
    numbers = (ctypes.c_int * 3)(3, 1, 2)
    ctypes.CDLL(None).qsort(numbers, 3, 4, sort)
    assert list(numbers) == [1, 2, 3]

def new_modules():
    before = set(sys.modules)
    import cProfile, xml.etree.ElementTree  # with shared libraries that nobody has loaded yet
    assert {"cProfile", "pyexpat"} <= set(sys.modules) - before

def questions():
    platform.platform(), os.cpu_count(), os.getloadavg(), os.uname(), os.getgroups(), os.sched_getaffinity(0), sys.stdin.isatty()
    resource.getrlimit(resource.RLIMIT_NOFILE), os.sysconf("SC_PHYS_PAGES"), os.getpriority(os.PRIO_PROCESS, 0), os.getsid(0)

def the_wire():
    again = socket.socket(fileno=wire[0].fileno())
    again.sendall(b"x" * 1000)
    assert wire[1].recv(2000) == b"x" * 1000
    wire[1].send(b"ab")
    assert again.recvmsg(10)[0] == b"ab"
    refused(wire[1].sendmsg, [b"a", b"b"])
    again.settimeout(5)
    again.shutdown(socket.SHUT_WR)
    assert wire[1].recv(1) == b""
    again.detach()

def pairs():
    one, other = socket.socketpair()
    one.sendall(b"x")
    assert other.recv(1) == b"x"
    assert asyncio.run(asyncio.to_thread(int)) == 0
    with asyncio.Runner() as runner:
        assert runner.run(asyncio.sleep(0, 1)) == 1

def shared_memory():
    room = mmap.mmap(-1, 4096)  # shared by default
    if not os.fork():
        room[0] = 7
        os._exit(0)
    os.wait()
    assert room[0] == 7

def about_itself():
    with tempfile.NamedTemporaryFile() as file:
        os.chown(file.name, -1, -1)
        os.chown(file.name, os.getuid(), os.getgid())
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (64, 64)
    assert fcntl.fcntl(os.pipe()[0], fcntl.F_SETPIPE_SZ, 8192) == 8192

def refused(call, *args):
    try:
        call(*args)
    except PermissionError:
        return
    raise AssertionError(f"{call} was not refused")

def what_is_refused():
    refused(subprocess.run, ["true"])
    refused(os.execv, "/bin/true", ["true"])
    refused(socket.socket)
    refused(socket.socketpair, socket.AF_INET)
    refused(os.memfd_create, "x")
    refused(os.mkfifo, "fifo")
    refused(os.setuid, 0)
    refused(os.setpgid, 0, 0)
    refused(os.sched_setaffinity, 0, [0])
    refused(os.nice, 1)
    refused(resource.prlimit, os.getppid(), resource.RLIMIT_NOFILE, (64, 64))

def arrays():
    a = numpy.random.default_rng(1).random((600, 600))
    assert abs((a @ numpy.linalg.inv(a)).trace() - 600) < 1e-3
    numpy.fft.fft(a), numpy.sort(a), numpy.linalg.svd(a[:100])
    with tempfile.TemporaryDirectory() as name:
        numpy.save(name + "/a.npy", a)
        kept = numpy.load(name + "/a.npy", mmap_mode="r+")
        kept[0, 0] = 7
        kept.flush()
        assert numpy.load(name + "/a.npy")[0, 0] == 7

def tables():
    frame = pandas.DataFrame({"a": numpy.arange(1000) % 7, "b": numpy.arange(1000.0)})
    assert frame.groupby("a").b.sum().sum() == 499500
    with tempfile.TemporaryDirectory() as name:
        frame.to_csv(name + "/a.csv.gz", index=False)
        assert pandas.read_csv(name + "/a.csv.gz").equals(frame)

def pictures():
    with tempfile.TemporaryDirectory() as name:
        Image.new("RGB", (50, 50), "red").resize((20, 20)).save(name + "/a.png")
        assert Image.open(name + "/a.png").getpixel((1, 1)) == (255, 0, 0)

def plots():
    with tempfile.TemporaryDirectory() as name:
        figure = pyplot.figure()
        figure.gca().plot([1, 2, 3])
        figure.savefig(name + "/a.png")
        assert pathlib.Path(name + "/a.png").stat().st_size > 1000

def run(*programs):
    close_the_door(sys.argv[1])
    for program in programs:
        child = os.fork()
        if not child:
            code = 1
            try:
                program()
                code = 0
            except BaseException:
                import traceback
                traceback.print_exc()
            finally:
                os._exit(code)
        print(program.__name__, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)

wire = socket.socketpair()
"""

_LIBRARIES = {
    "arrays": ("numpy", "import numpy, numpy.fft, numpy.linalg, numpy.random"),
    "tables": ("pandas", "import numpy, pandas"),
    "pictures": ("PIL", "from PIL import Image, PngImagePlugin"),
    "plots": (
        "matplotlib",
        "import matplotlib\nmatplotlib.use('agg')\nfrom matplotlib import pyplot",
    ),
}


@real_kernel
@pytest.mark.parametrize("identity", IDENTITIES)
def test_everyday_programs_run_under_the_filter_and_forbidden_ones_are_told_so(
    identity: str,
) -> None:
    names = (
        "files archives text_and_numbers clocks signals threads processes waiting databases"
        " foreign_code questions the_wire".split()
    )
    names += [
        "pairs",
        "shared_memory",
        "about_itself",
        "what_is_refused",
        *(["new_modules"] if identity == "as it is" else []),
    ]
    done = _run(_EVERYDAY + f"run({', '.join(names)})", identity)
    assert done.stdout.splitlines() == [f"{name} 0" for name in names], done.stderr


@real_kernel
@pytest.mark.long
@pytest.mark.parametrize("program", _LIBRARIES)
@pytest.mark.parametrize("identity", IDENTITIES)
def test_libraries_run_under_the_filter(identity: str, program: str) -> None:
    library, imports = _LIBRARIES[program]
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    done = _run(_EVERYDAY + f"{imports}\nrun({program})", identity)
    assert done.stdout == f"{program} 0\n", done.stderr
