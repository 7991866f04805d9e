"""What a caller may change of a container, in the terms of the docker package."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("docker", reason="the package docker is not installed")

from fumehood.docker.hardening import REFUSED, Wanted, changes, configuration, merged
from fumehood.errors import DangerousContainer, PolicyError
from fumehood.policy import Policy

# A value of each option that loosens, and one that does not where there is one.
LOOSE = {
    "privileged": (True, False),
    "cap_add": (["SYS_PTRACE"], []),
    "cap_drop": (["NET_RAW"], ["ALL"]),
    "security_opt": (["seccomp=unconfined"], ["label=level:s0"]),
    "network_mode": ("bridge", "none"),
    "network": ("bridge", "none"),
    "ports": ({"80/tcp": 8080}, {}),
    "publish_all_ports": (True, False),
    "pid_mode": ("host", None),
    "ipc_mode": ("host", "none"),
    "uts_mode": ("host", None),
    "userns_mode": ("host", None),
    "cgroupns": ("host", "private"),
    "cgroup_parent": ("/other", None),
    "devices": (["/dev/fuse:/dev/fuse:rwm"], []),
    "device_requests": ([{"Driver": "nvidia", "Count": -1}], []),
    "device_cgroup_rules": (["c 1:1 rwm"], []),
    "volumes": ({"/srv": {"bind": "/srv", "mode": "ro"}}, {}),
    "mounts": ([{"Type": "bind", "Source": "/srv", "Target": "/srv"}], []),
    "volumes_from": (["other"], []),
    "read_only": (False, True),
    "user": ("root", "1000"),
    "group_add": (["100"], []),
    "mem_limit": (-1, "2g"),
    "pids_limit": (-1, 100),
    "oom_kill_disable": (True, False),
    "sysctls": ({"net.core.somaxconn": "1024"}, {}),
    "log_config": ({"Type": "json-file"}, {"Type": "none"}),
}


def with_(**options):
    """The whole of what the engine is sent."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DangerousContainer)
        return merged(
            {**configuration(Wanted(Policy())), "Labels": {"fumehood": "1"}, "Env": ["A=1"]},
            changes(options),
        )


@pytest.mark.parametrize("name", LOOSE)
def test_what_loosens_warns_and_what_does_not_is_silent(name):
    loose, tight = LOOSE[name]
    with pytest.warns(DangerousContainer, match=f"container_run_kwargs gives {name}="):
        changes({name: loose})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if tight is not None:
            changes({name: tight})


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_break_the_line_to_the_worker_is_refused_with_the_reason(name):
    with pytest.raises(PolicyError, match=f"container_run_kwargs cannot hold '{name}': "):
        changes({name: True})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"mem_limt": "1g"}, "there is no option 'mem_limt'; did you mean 'mem_limit'?"),
        ({"nonsense": 1}, "there is no option 'nonsense'$"),
        ({"mem_limit": "lots"}, "container_run_kwargs: "),
        ({"labels": 7}, "container_run_kwargs: "),
        ({"mounts": 7}, "container_run_kwargs: "),
        ({"environment": 7}, "container_run_kwargs: "),
        ({"ulimits": ["core"]}, "container_run_kwargs: "),
        ({"tmpfs": {"/home/user": ""}}, "container_run_kwargs puts something on /home/user, which belongs to the sandbox"),
        ({"tmpfs": ["/labs/x"]}, "puts something on /labs/x"),
        ({"volumes": ["/srv:/opt/fumehood"]}, "puts something on /opt/fumehood"),
        ({"volumes": {"/srv": {"bind": "/", "mode": "rw"}}}, "puts something on /"),
        ({"mounts": [{"Type": "bind", "Source": "/", "Target": "/home/user/"}]}, "puts something on /home/user"),
        ([("mem_limit", "1g")], "must be a dictionary"),
        ({7: 7}, "must be a dictionary"),
    ],
)  # fmt: skip
def test_what_is_no_option_is_told_in_one_line(options, told):
    with pytest.raises(PolicyError, match=told) as refused:
        changes(options)
    assert "\n" not in str(refused.value)


def test_options_replace_what_they_name_and_nothing_else():
    made = with_(mem_limit="2g", pids_limit=77, hostname="here", nano_cpus=10**9, dns=["192.0.2.1"])
    host = made["HostConfig"]
    assert (
        host["Memory"],
        host["MemorySwap"],
        host["PidsLimit"],
        host["NanoCpus"],
        made["Hostname"],
    ) == (
        2 << 30,
        2 << 30,
        77,
        10**9,
        "here",
    )
    plain = with_()
    changed = {"Memory", "MemorySwap", "PidsLimit", "NanoCpus", "Dns"}
    assert {name: value for name, value in host.items() if name not in changed} | {"Tmpfs": 0} == {
        name: value for name, value in plain["HostConfig"].items() if name not in changed
    } | {"Tmpfs": 0}
    assert made["OpenStdin"] and made["StdinOnce"] and host["AutoRemove"]


def test_options_are_in_force_in_a_container(start, output):
    program = """import os, socket
print(os.environ["SAID"], socket.gethostname(), os.stat("/labs").st_uid, os.getuid(), open("/scratch/x", "w").name)"""
    options = {
        "environment": {"SAID": "this"},
        "hostname": "here",
        "user": "4321",
        "tmpfs": {"/scratch": "mode=1777"},
    }
    assert output(start(program, run_kwargs=options)) == "this here 4321 4321 /scratch/x\n"


def test_a_network_is_there_when_it_is_asked_for(start, output):
    program = "import socket; print(len(socket.if_nameindex()))"
    with pytest.warns(DangerousContainer):
        container = start(program, run_kwargs={"network_mode": "bridge"})
    assert output(container) == "2\n"
