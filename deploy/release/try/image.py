"""Makes the image of the Containerfile without a container engine, each stage in a bare Debian, and runs it.

image.py CONTEXT DEBIAN WORK NETWORK: a clone of the repository, the packed Debian that both stages begin with, a folder
for the stages, and the network in which the image runs. As root, where mounts and processes end with try-install.sh."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

context, debian, work, network = (os.path.realpath(path) for path in sys.argv[1:5])
in_network = ["nsenter", f"--net={network}"]
# Options of the machine that a build gets from its engine, too.
machine = {name: os.environ[name] for name in ("NODE_EXTRA_CA_CERTS", "HTTP_PROXY", "HTTPS_PROXY") if name in os.environ}


def instructions(text):
    """Name and words of each instruction; lines that end in a backslash go on in the next one."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, words = line.strip().partition(" ")
            yield name.upper(), words.strip()


class Stage:
    def __init__(self, name):
        self.root = os.path.join(work, name)
        self.folder = "/"
        self.env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        self.user = "0:0"
        self.facts = {}
        os.makedirs(self.root)
        subprocess.run(["tar", "-C", self.root, "-xf", debian], check=True)
        subprocess.run(["mount", "-t", "proc", "proc", self.at("/proc")], check=True)
        for device in ("null", "zero", "urandom", "random"):
            open(self.at(f"/dev/{device}"), "w").close()
            subprocess.run(["mount", "--bind", f"/dev/{device}", self.at(f"/dev/{device}")], check=True)
        shutil.copy("/etc/resolv.conf", self.at("/etc/resolv.conf"))
        shutil.copytree("/etc/apt/apt.conf.d", self.at("/etc/apt/apt.conf.d"), dirs_exist_ok=True)
        for path in filter(os.path.exists, machine.values()):
            os.makedirs(os.path.dirname(self.at(path)), exist_ok=True)
            shutil.copy(path, self.at(path))

    def at(self, path):
        return os.path.join(self.root, os.path.join(self.folder, path).lstrip("/"))

    def command(self, words, env):
        inside = ["env", "-i", *(f"{name}={value}" for name, value in env.items())]
        entered = 'cd "$0" && exec "$@"'
        return ["chroot", f"--userspec={self.user}", self.root, *inside, "sh", "-c", entered, self.folder, *words]

    def run(self, line):
        subprocess.run(self.command(["sh", "-c", line], {**machine, **self.env}), check=True)

    def copy(self, words, stages):
        options = dict(re.findall(r"--(\w+)=(\S+)", words))
        *sources, target = [word for word in words.split() if not word.startswith("--")]
        origin = stages[options["from"]].root if "from" in options else context
        to = self.at(target)
        for source in sources:
            path = os.path.join(origin, source.lstrip("/"))
            if os.path.isdir(path):
                shutil.copytree(path, to, symlinks=True, dirs_exist_ok=True)
            else:
                place = os.path.join(to, os.path.basename(path)) if target.endswith("/") else to
                shutil.copy(path, place)
                if "chmod" in options:
                    os.chmod(place, int(options["chmod"], 8))


def build():
    """The last stage, with all that the file says of it. An instruction that is not known here fails."""
    values, stages, stage = {}, {}, None
    for name, words in instructions(open(os.path.join(context, "deploy/Containerfile")).read()):
        if name == "ARG":
            key, _, value = words.partition("=")
            values[key] = value
        elif name == "FROM":
            base, _, label = words.partition(" AS ")
            if not values[base.strip("${}")].endswith("debian:12-slim"):
                raise SystemExit(f"the trial has no {base}")
            stage = Stage(label.strip() or "image")
            stages[label.strip() or "image"] = stage
        elif name == "RUN":
            stage.run(words)
        elif name == "WORKDIR":
            stage.folder = words
            os.makedirs(stage.at("."), exist_ok=True)
        elif name == "COPY":
            stage.copy(words, stages)
        elif name == "ENV":
            stage.env.update(word.split("=", 1) for word in shlex.split(words))
        elif name == "USER":
            stage.user = words
        elif name in ("LABEL", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT", "CMD"):
            stage.facts[name] = words
        else:
            raise SystemExit(f"the trial does not know {name}")
    return stage


def try_image(image):
    """Starts it as an engine does: healthy, answering at its port, its data its own, ended by its signal."""
    facts = image.facts
    words = json.loads(facts["ENTRYPOINT"]) + json.loads(facts["CMD"])
    server = subprocess.Popen([*in_network, *image.command(words, image.env)], stdout=open(os.path.join(work, "image.log"), "w"))
    health = [*in_network, *image.command(json.loads(facts["HEALTHCHECK"].partition(" CMD ")[2]), image.env)]
    is_healthy = lambda: subprocess.run(health, stderr=subprocess.DEVNULL).returncode == 0
    for _ in range(300):
        if is_healthy():
            break
        if server.poll() is not None:
            raise SystemExit(f"the server ended with {server.returncode}")
        time.sleep(0.1)
    else:
        raise SystemExit("the server does not become healthy")
    address = f"http://localhost:{facts['EXPOSE']}/api/v1/server_settings"
    answer = subprocess.run([*in_network, "curl", "-sS", address], stdout=subprocess.PIPE, check=True).stdout
    assert json.loads(answer)["result"] == "success", answer
    volume = image.at(facts["VOLUME"])
    owners = {os.stat(os.path.join(volume, name)).st_uid for name in [".", *os.listdir(volume)]}
    assert owners == {int(image.user.split(":")[0])}, owners
    assert os.stat(volume).st_mode & 0o077 == 0
    server.send_signal(getattr(signal, facts["STOPSIGNAL"]))
    assert server.wait(timeout=30) == 0, server.returncode
    assert not is_healthy()


try_image(build())
print("the image is built, healthy, answers, and stops")
