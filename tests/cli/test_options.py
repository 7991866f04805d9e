"""Options as they are written, and what they mean."""

from __future__ import annotations

import pytest
import typer

from fumehood.cli.options import mount, size
from fumehood.policy import Mount


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("512M", 512 << 20),
        ("2g", 2 << 30),
        ("2GiB", 2 << 30),
        ("64 kB", 64 << 10),
        ("10B", 10),
        (" 1T ", 1 << 40),
    ],
)
def test_sizes_have_units_of_1024(text, value):
    assert size(text) == value


@pytest.mark.parametrize(
    "text", ["", "M", "-1M", "1.5G", "1X", "1MM", "١", "9" * 5000, "0x10", "1e9"]
)
def test_what_is_no_size_is_refused(text):
    with pytest.raises(typer.BadParameter):
        size(text)


def test_a_mount_is_read_only_unless_asked(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    source = str(tmp_path / "data")
    assert mount("data") == Mount(source, source)
    assert mount("./data/") == Mount(source, source)
    assert mount("data:ro") == Mount(source, source)
    assert mount("data:rw") == Mount(source, source, writable=True)
    assert mount("data:/in") == Mount(source, "/in")
    assert mount("data:/in/:rw") == Mount(source, "/in", writable=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        ":/in",
        "absent",
        "data:in",
        "data:/in:rx",
        "data:/in:rw:rw",
        "data:/home/user",
        "data:/",
        "data:/in/../home/user",
        "da\0ta",
    ],
)
def test_what_cannot_be_mounted_is_refused(text, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(typer.BadParameter):
        mount(text)
