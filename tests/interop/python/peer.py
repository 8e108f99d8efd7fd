# SPDX-License-Identifier: GPL-3.0-or-later
"""redis-py as a process that does what the lines on stdin say; see java/…/Peer.java. It has locks of kind token only."""
import os
import sys
import threading

import redis

output = threading.Lock()


def say(tag, text):
    with output:
        print(tag, text.replace("\n", " "), flush=True)


def seconds(word):
    return int(word) / 1000


class Peer:
    def __init__(self):
        self.client = None
        self.held = {}  # by thread and name: locks that were acquired

    def connect(self, _, topology, url, *rest):
        self.client = redis.Redis.from_url(url)
        self.client.ping()
        return f"ok {self.client.client_id()}"

    def lock(self, thread, kind, name, lease, wait):
        if kind != "token":
            raise ValueError(f"no such kind: {kind}")
        timeout = None if lease == "never" else 30 if lease == "-" else seconds(lease)
        lock = self.client.lock(name, timeout=timeout, thread_local=False)
        if not lock.acquire(blocking=wait != "0", blocking_timeout=None if wait == "-" else seconds(wait)):
            return "refused"
        self.held[thread, name] = lock
        return "acquired"

    def unlock(self, thread, _, name):
        self.held.pop((thread, name)).release()
        return "ok"

    def extend(self, thread, name, lease):
        self.held[thread, name].extend(seconds(lease), replace_ttl=True)
        return "ok"

    def token(self, thread, name):
        return f"ok {self.held[thread, name].local.token.decode()}"


peer = Peer()


def do(tag, command, words):
    try:
        say(tag, getattr(peer, command)(*words))
    except Exception as error:  # whatever it is, it is the answer
        say(tag, f"error {type(error).__name__} {error}")


for line in sys.stdin:
    tag, command, *words = line.split()
    if command == "quit":
        break
    threading.Thread(target=do, args=(tag, command, words), daemon=True).start()
os._exit(0)  # what is held is left to run out
