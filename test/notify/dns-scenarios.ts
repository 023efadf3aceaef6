/**
 * Names as a DNS server tells them, or does not. The server takes the place of the one that this machine is
 * configured to ask, which only works in a network of its own.
 */
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { issue } from '../helpers/network/authority.js';
import type { Ground, Scenarios } from './ground.js';
import { httpsReceiver } from './receivers.js';

const A = 1;
const NAME_ERROR = 3;

type Reply = 'silence' | 'no such name' | readonly string[];

/** @param type of the record that is asked for; 1 is A. */
function replyTo(name: string, type: number, host: string): Reply {
  if (name === 'silent.example' || (name === 'half.example' && type !== A)) return 'silence';
  if (name === 'unknown.example') return 'no such name';
  if (type !== A) return [];
  return [name === 'inside.example' ? '10.0.0.7' : host];
}

/** Answers questions of one name each (RFC 1035, 4.1). */
async function startDns(host: string): Promise<void> {
  const [server = '127.0.0.1'] = getServers();
  const family = isIPv6(server) ? 'udp6' : 'udp4';
  if (!server.startsWith('127.')) {
    execFileSync('ip', ['addr', 'add', `${server}/${family === 'udp6' ? 128 : 32}`, 'dev', 'lo']);
  }
  const socket = createSocket(family);
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + size));
      at += 1 + size;
    }
    const question = query.subarray(12, at + 5);
    const reply = replyTo(labels.join('.').toLowerCase(), query.readUInt16BE(at + 1), host);
    if (reply === 'silence') return;
    const ips = reply === 'no such name' ? [] : reply;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 + (reply === 'no such name' ? NAME_ERROR : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(ips.length, 6);
    // Name as in the question, type A, class IN, a minute, four bytes.
    const records = ips.map((ip) =>
      Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...ip.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([head, question, ...records]), from.port, from.address);
  });
  socket.bind(53, server);
  await once(socket, 'listening');
  socket.unref();
}

export function dnsScenarios({ host, authority, send }: Ground): Scenarios {
  const started = startDns(host);
  const to = async (name: string) => {
    await started;
    const pair = await issue(authority, { names: [name] });
    const receiver = await httpsReceiver(host, pair, (_request, response) => response.end());
    return send(`https://${name}:${receiver.port}/`, { dns: true });
  };
  return {
    'known name': () => to('shop.example'),
    'silent about IPv6': () => to('half.example'),
    'unknown name': () => to('unknown.example'),
    'name that leads inside': () => to('inside.example'),
    'known name beside twenty silent ones': async () => {
      const silent = Array.from({ length: 20 }, () => to('silent.example'));
      const result = await to('shop.example');
      const outcomes = await Promise.all(silent);
      return { ...result, seen: outcomes.map(({ outcome, detail }) => `${outcome}: ${detail}`) };
    },
  };
}
