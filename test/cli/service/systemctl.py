#!/usr/bin/env python3
"""Stands in for systemctl where no systemd runs: it starts and stops one service, of Type=notify, as systemd does.

SERVICE_FOLDER has the file `command`, the words of the service's command line as JSON, and gets its `pid` and `log`.
With a file `stuck` in it the service cannot be stopped; with `interrupts` a terminal sends Ctrl-C and then goes away."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

folder = os.environ["SERVICE_FOLDER"]
pid_file = os.path.join(folder, "pid")


def running():
    try:
        pid = int(open(pid_file).read())
        state = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]
        return None if state == "Z" else pid
    except (OSError, ValueError):
        return None


def stop():
    pid = running()
    if pid is not None:
        os.kill(pid, signal.SIGTERM)
        while running() is not None:
            time.sleep(0.01)


def start():
    """Answers whether the service has said READY=1 before it ended."""
    path = os.path.join(folder, "notify")
    if os.path.exists(path):
        os.unlink(path)
    receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiver.bind(path)
    receiver.settimeout(0.05)
    with open(os.path.join(folder, "log"), "ab") as log:
        command = json.load(open(os.path.join(folder, "command")))
        # A service has an environment of its own, and cannot tell that it is ready without a compiler.
        inherited = {name: value for name, value in os.environ.items() if name != "BUN_JSC_useJIT"}
        env = {**inherited, "NOTIFY_SOCKET": path}
        service = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    with open(pid_file, "w") as file:
        file.write(str(service.pid))
    while service.poll() is None:
        try:
            if b"READY=1" in receiver.recv(1000):
                return True
        except TimeoutError:
            pass
    return False


word = sys.argv[1]
if word == "stop" and os.path.exists(os.path.join(folder, "stuck")):
    sys.exit(1)
if word == "is-active":
    sys.exit(0 if running() else 3)
if os.path.exists(os.path.join(folder, "interrupts")):
    for number in (signal.SIGINT, signal.SIGHUP):
        os.killpg(os.getpgid(os.getppid()), number)
stop()
if word == "restart" and not start():
    print("Job for chatd.service failed.", file=sys.stderr)
    sys.exit(1)
