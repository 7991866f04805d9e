"""Copies of a template: what whoever wants one is told when there is none."""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import Iterator

import pytest

from fumehood.jail import template


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The zygote's end, and the one at which a template would answer."""
    zygote, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with zygote, other:
        yield zygote, other


def test_more_than_a_template_reads_at_once_is_never_sent(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    zygote, other = ends
    with pytest.raises(OSError, match="too much to tell"):
        template.copy(zygote, bytes(template._MOST + 1), ())
    zygote.close()
    assert other.recv(1) == b""


def test_what_the_kernel_says_of_a_copy_that_cannot_be_made_is_passed_on(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    zygote, other = ends
    other.send(struct.pack("=q", -errno.EAGAIN))
    with pytest.raises(OSError, match="clone: ") as caught:
        template.copy(zygote, b"packet", ())
    assert caught.value.errno == errno.EAGAIN and not isinstance(caught.value, template.Gone)


def test_the_number_of_the_copy_comes_back(ends: tuple[socket.socket, socket.socket]) -> None:
    zygote, other = ends
    other.send(struct.pack("=q", 4711))
    assert template.copy(zygote, b"packet", ()) == 4711
    assert other.recv(100) == b"packet"


def test_a_template_that_is_gone_is_told_from_one_that_is_silent(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    zygote, other = ends
    zygote.settimeout(0.01)
    with pytest.raises(template.Gone, match="does not answer") as silent:
        template.copy(zygote, b"packet", ())
    other.close()
    with pytest.raises(template.Gone, match="is gone") as gone:
        template.copy(zygote, b"packet", ())
    assert (silent.value.is_silent, gone.value.is_silent) == (True, False)
