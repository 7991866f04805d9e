"""The steward: the first process of the outer namespaces. It builds the root, starts the zygote, and makes keepers when the zygote asks.

It stays small: a keeper is a copy of it, and copying a process costs in proportion to what it has mapped. The zygote, which has imported
numpy and pandas, is large. When the steward ends, the kernel ends everything in its namespaces.
"""

from __future__ import annotations

import gc
import signal
import socket
from collections.abc import Callable

from fumehood.jail import enter, kernel
from fumehood.jail.namespaces import Children
from fumehood.worker import fork
from fumehood.worker.keeper import keep
from fumehood.worker.plan import Plan
from fumehood.worker.signals import be_ordinary


def serve(plan: Plan, zygote: Callable[[socket.socket], None]) -> None:
    """Build the root, start the zygote, and make a keeper for every byte it sends. Returns when the zygote is gone."""
    be_ordinary()
    kernel.die_with_parent(signal.SIGKILL)
    kernel.set_process_name("fumehood-steward")
    enter.prepare_place(plan.binds)
    children = Children()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def start_zygote() -> None:
        ours.close()
        zygote(theirs)

    fork.start(start_zygote)
    theirs.close()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    program = enter.filter_program(bare=False)
    gc.disable()  # nothing here makes garbage, and looking for it in a keeper would copy every page that holds an object
    gc.freeze()

    def start_keeper() -> None:
        keep(ours, plan, program)

    while _asked(ours):
        children.in_new_namespace()
        fork.start(start_keeper)
        children.here()


def _asked(zygote: socket.socket) -> bool:
    try:
        return bool(zygote.recv(1))
    except ConnectionResetError:
        return False  # it ended with a keeper's answer unread
