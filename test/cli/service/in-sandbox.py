"""Runs a command with the system calls that a unit of systemd leaves it: in-sandbox.py UNIT COMMAND…

Of the unit it takes RestrictAddressFamilies, SystemCallFilter and SystemCallErrorNumber, as systemd does.
"""
import ctypes
import errno
import os
import re
import socket
import subprocess
import sys

lib = ctypes.CDLL("libseccomp.so.2")
ALLOW, REFUSE, EQUAL = 0x7FFF0000, 0x00050000, 4
FAMILY_MAX = 46


class Compare(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


lib.seccomp_init.restype = ctypes.c_void_p
lib.seccomp_init.argtypes = [ctypes.c_uint32]
lib.seccomp_load.argtypes = [ctypes.c_void_p]
lib.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
lib.seccomp_rule_add_array.argtypes = [
    ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(Compare)]


def must(result):
    if result != 0:
        sys.exit(f"libseccomp: {os.strerror(-result)}")


def filter_with(usual, rules):
    """Loads a filter: what it does usually, and (action, name of the call, comparisons) else."""
    context = lib.seccomp_init(usual)
    for action, name, compares in rules:
        number = lib.seccomp_syscall_resolve_name(name.encode())
        if number >= 0 and action != usual:
            must(lib.seccomp_rule_add_array(context, action, number, len(compares), (Compare * len(compares))(*compares)))
    must(lib.seccomp_load(context))


def sets_of_calls():
    sets, current = {}, None
    for line in subprocess.check_output(["systemd-analyze", "syscall-filter"], text=True).splitlines():
        word = line.strip()
        if line.startswith("@"):
            current = sets.setdefault(word, [])
        elif current is not None and word and not word.startswith("#"):
            current.append(word)
    return sets


def calls_of(sets, words):
    found = set()
    for word in words:
        found |= calls_of(sets, sets[word]) if word.startswith("@") else {word}
    return found


def values_of(unit, key):
    return re.findall(rf"^{key}=(.*)$", unit, re.MULTILINE)


def main():
    unit = open(sys.argv[1]).read()
    sets = sets_of_calls()
    allowed = calls_of(sets, ["@default"])
    for value in values_of(unit, "SystemCallFilter"):
        if value.startswith("~"):
            allowed -= calls_of(sets, value[1:].split())
        else:
            allowed |= calls_of(sets, value.split())
    (number,) = values_of(unit, "SystemCallErrorNumber")
    (families,) = values_of(unit, "RestrictAddressFamilies")
    taken = {int(getattr(socket, name)) for name in families.split()}
    refused = [family for family in range(FAMILY_MAX) if family not in taken]
    filter_with(ALLOW, [
        (REFUSE | errno.EAFNOSUPPORT, "socket", [Compare(0, EQUAL, family, 0)]) for family in refused])
    filter_with(REFUSE | getattr(errno, number), [(ALLOW, name, []) for name in sorted(allowed)])
    os.execvp(sys.argv[2], sys.argv[2:])


main()
