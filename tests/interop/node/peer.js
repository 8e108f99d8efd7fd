// SPDX-License-Identifier: GPL-3.0-or-later
// node-redisson and node-redlock as a process that does what the lines on stdin say; see java/…/Peer.java. The one has
// reentrant locks only, the other locks of kind token.
'use strict';
const readline = require('node:readline');
const Redis = require('ioredis');
const Redlock = require('redlock');
const { Redisson } = require('node-redisson');

let redisson;
let redis; // node-redlock's
let clientId;
const locks = new Map();
const tokenLocks = new Map(); // that were acquired

const say = (tag, text) => process.stdout.write(`${tag} ${text}\n`);
const time = (word) => BigInt(word);

// The thread of the others is node-redisson's client id: text of its user's choice.
function lockOf(thread, kind, name) {
    if (kind !== 'reentrant') throw new Error(`no such kind: ${kind}`);
    const key = `${thread} ${name}`;
    if (!locks.has(key)) locks.set(key, redisson.getLock(name, thread));
    return locks.get(key);
}

async function connect(words) {
    const url = new URL(words[4].split(',')[0]);
    redisson = new Redisson({
        redis: { options: { host: url.hostname, port: Number(url.port) } },
        lockWatchdogTimeout: time(words[5]),
    });
    await redisson.redis.ping();
    redis = new Redis(Number(url.port), url.hostname);
    clientId = redisson.getLock('any').id;
    return `ok ${clientId}`;
}

async function tokenLock(thread, name, lease, wait) {
    const retryDelay = 20;
    const retryCount = wait === '-' ? -1 : Math.ceil(Number(wait) / retryDelay);
    try {
        const redlock = new Redlock([redis], { retryCount, retryDelay });
        tokenLocks.set(`${thread} ${name}`, await redlock.lock(name, lease === '-' ? 30000 : Number(lease)));
        return 'acquired';
    } catch (error) {
        if (error.name === 'LockError') return 'refused';
        throw error;
    }
}

async function lock(words) {
    const [, , thread, kind, name, lease, wait] = words;
    if (kind === 'token') return tokenLock(thread, name, lease, wait);
    const held = lockOf(thread, kind, name);
    const got = await held.tryLock(wait === '-' ? false : time(wait), lease === '-' ? true : time(lease));
    return got ? 'acquired' : 'refused';
}

const commands = {
    connect,
    lock,
    thread: async (words) => `ok ${words[2]}`,
    unlock: async (words) => {
        const held = tokenLocks.get(`${words[2]} ${words[4]}`);
        tokenLocks.delete(`${words[2]} ${words[4]}`);
        if (words[3] === 'token') await held.unlock();
        else await lockOf(words[2], words[3], words[4]).unlock();
        return 'ok';
    },
    extend: async (words) => {
        const key = `${words[2]} ${words[3]}`;
        tokenLocks.set(key, await tokenLocks.get(key).extend(Number(words[4])));
        return 'ok';
    },
    token: async (words) => `ok ${tokenLocks.get(`${words[2]} ${words[3]}`).value}`,
    force: async (words) => `ok ${await lockOf(words[2], words[3], words[4]).forceUnlock()}`,
    quit: async () => process.exit(0), // what is held is left to run out
};

async function take(line) {
    const words = line.split(' ');
    try {
        const command = commands[words[1]];
        say(words[0], command ? await command(words) : `error NoSuchCommand ${words[1]}`);
    } catch (error) {
        say(words[0], `error ${error.constructor.name} ${String(error.message).replaceAll('\n', ' ')}`);
    }
}

const input = readline.createInterface({ input: process.stdin });
input.on('line', take);
input.on('close', () => process.exit(0));
