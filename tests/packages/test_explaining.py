"""Why packages cannot be had, in one line: as it is really said by uv and by pip, and as they say
what cannot be made to happen here."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from fumehood.errors import InstallFailed
from fumehood.packages.explaining import why

from .conftest import Obtain


def failure(obtain: Obtain, *names: str, installer: str) -> str:
    with pytest.raises(InstallFailed) as caught:
        obtain(*names, installer=installer)
    text = str(caught.value)
    assert "\n" not in text and text.startswith("the packages could not be fetched: ")
    assert caught.value.output
    return text


def test_an_unknown_package_is_told_from_a_version_that_is_not_there(
    obtain: Obtain, installer: str
) -> None:
    assert "there is no package 'nothing-of-that-name' in the index" in failure(
        obtain, "nothing-of-that-name", installer=installer
    )
    assert "there is no version plain==9 in the index" in failure(
        obtain, "plain==9", installer=installer
    )


def test_an_index_that_is_not_there_is_told_as_that(
    obtain: Obtain, monkeypatch: pytest.MonkeyPatch, installer: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    index = f"http://127.0.0.1:{port}/simple"
    Path(os.environ["UV_CONFIG_FILE"]).write_text(f'index-url = "{index}"\n')
    for name, value in (
        ("UV_HTTP_RETRIES", "0"),
        ("PIP_INDEX_URL", index),
        ("PIP_NO_INDEX", "0"),
        ("PIP_RETRIES", "0"),
    ):
        monkeypatch.setenv(name, value)
    assert "the package index cannot be reached" in failure(obtain, "far-away", installer=installer)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        (
            "error: failed to write\n  cause: No space left on device (os error 28)",
            "the disk is full",
        ),
        (
            "ERROR: Could not install packages due to an OSError: [Errno 27] File too large",
            "larger than all packages may be together",
        ),
        (
            "  cause: HTTP status client error (401 Unauthorized) for url (https://example.org)",
            "refuses the credentials",
        ),
        (
            "ERROR: HTTP error 403 while getting\n403 Client Error: Forbidden",
            "refuses the credentials",
        ),
        ("  cause: invalid peer certificate: UnknownIssuer", "does not trust"),
        ("503 Server Error: Service Unavailable", "try again later"),
        (
            (
                "ERROR: For req: x. The wheel has a file trying to install outside the target"
                " directory"
            ),
            "outside of its own directory",
        ),
        ("ERROR: something new\nand more", "something new"),
        ("", "nothing was said"),
    ],
)
def test_what_else_is_said_is_told_in_our_words(said: str, told: str) -> None:
    assert told in why(said.splitlines(), {})


def test_what_a_package_writes_into_an_error_is_cut() -> None:
    assert len(why(["ERROR: " + "x" * 5000], {})) < 400
