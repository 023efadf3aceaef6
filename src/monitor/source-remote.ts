/**
 * Reads phones from a daemon on another machine, for users who have only their device keys. The keys are sent
 * only after the daemon's certificate was verified.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { KashboxError } from '../base/errors/errors.js';
import { refuse } from '../base/errors/refuse.js';
import { describeNetFailure } from '../base/io/net-failure.js';
import { dhakaIso } from '../base/values/clock.js';
import type { Phone, SnapshotSource } from './snapshot.js';

const EVERY_MS = 5_000;
const DEADLINE_MS = 10_000;
const MAX_BYTES = 1_048_576;
/** Clocks that differ by less tick alike. */
const SAME_CLOCK_MS = 2_000;

export interface Remote {
  /** Origin, and the path before `/api` where there is one. */
  readonly url: URL;
  /** Comma-separated keys, as in the header. */
  readonly deviceKeys: string;
  /** SHA-256 of the certificate in hex; null uses the trusted authorities of this machine. */
  readonly fingerprint: string | null;
  /** PEM of the authority that signs it; null for the usual ones. */
  readonly ca: string | null;
}

export function remoteSource(remote: Remote): SnapshotSource {
  return {
    name: remote.url.host,
    everyMs: EVERY_MS,
    read: async () => ({ phones: phonesOf(await fetchStatus(remote), Date.now(), remote), shop: null }),
    details: async () => null,
    // Phones offer nothing, so that nobody gets here.
    act: async ({ kind }) => refuse(`${kind} is not available here`, 'Use the machine of the store.'),
    close: async () => {},
  };
}

/** @returns the body of the response. @throws KashboxError with the reason */
async function fetchStatus(remote: Remote): Promise<unknown> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const socket = await connected(remote, signal);
    const { status, text } = await answered(remote, socket, signal);
    const body = bodyOf(text);
    if (status === 200 && body !== null) return body;
    throw refused(remote, status, body);
  } catch (error) {
    if (error instanceof KashboxError) throw error;
    const late = `no answer within ${DEADLINE_MS / 1000} s`;
    throw unreachable(remote, signal.aborted ? late : describeNetFailure(error).detail);
  }
}

async function connected({ url, fingerprint, ca }: Remote, signal: AbortSignal): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: url.port === '' ? 443 : Number(url.port),
    minVersion: 'TLSv1.2',
    // A pin says more than an authority: it is checked below, and nothing is sent before.
    rejectUnauthorized: fingerprint === null,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === null ? {} : { ca }),
  });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  // Stays for good: what breaks between the handshake and the request must not end the process.
  socket.on('error', () => {});
  await once(socket, 'secureConnect', { signal });
  const raw = socket.getPeerX509Certificate()?.raw;
  const shown = raw === undefined ? '' : createHash('sha256').update(raw).digest('hex');
  if (fingerprint === null || shown === fingerprint) return socket;
  socket.destroy();
  throw unreachable({ url }, `its certificate has another fingerprint: ${shown}. The keys were not sent`);
}

async function answered({ url, deviceKeys }: Remote, socket: TLSSocket, signal: AbortSignal) {
  const outgoing = request({
    createConnection: () => socket,
    path: `${url.pathname.replace(/\/+$/, '')}/api/v2/device/status`,
    headers: { host: url.host, 'device-keys': deviceKeys, accept: 'application/json', connection: 'close' },
    signal,
  });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw unreachable({ url }, 'its answer is longer than 1 MiB');
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') };
}

function bodyOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function unreachable({ url }: Pick<Remote, 'url'>, why: string): KashboxError {
  return new KashboxError('daemon_unreachable', {
    message: `${url.host}: ${why}`,
    hint: 'Check --url. For a self-signed certificate pass --fingerprint, for your own CA --ca.',
  });
}

/** Repeats the daemon's message: it says which key is invalid, or that the rate limit was exceeded. */
function refused({ url }: Remote, status: number, body: Readonly<Record<string, unknown>> | null) {
  const said = typeof body?.message === 'string' ? body.message : 'an unexpected answer';
  return new KashboxError(status === 401 ? 'device_keys_invalid' : 'daemon_unreachable', {
    message: `${url.host} answers ${status}: ${said}`,
    ...(status === 401 ? {} : { hint: 'Check --url: it is the address of the API.' }),
  });
}

/** @param now milliseconds since the epoch by our clock, which may differ from theirs. */
function phonesOf(body: unknown, now: number, remote: Remote): Phone[] {
  const { devices, server_time: theirs } = body as Readonly<Record<string, unknown>>;
  if (!Array.isArray(devices)) throw unreachable(remote, 'its answer holds no devices');
  const ahead = typeof theirs === 'string' ? now - Date.parse(theirs) : 0;
  const shift = Math.abs(ahead) > SAME_CLOCK_MS ? ahead : 0;
  return devices.map((device: unknown, at) => phoneOf(Object(device), at, shift));
}

const STATES: readonly Phone['state'][] = ['ONLINE', 'STALE', 'OFFLINE', 'REVOKED'];

function phoneOf(record: Readonly<Record<string, unknown>>, at: number, shift: number): Phone {
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : null);
  const count = (name: string) => (typeof record[name] === 'number' ? record[name] : null);
  const seenAt = Date.parse(text('last_seen_at') ?? '');
  return {
    id: text('device') ?? `key ${at + 1}`,
    name: text('name') ?? `key ${at + 1}`,
    state: STATES.find((state) => state === record.state) ?? 'UNKNOWN',
    last_active: text('last_active') ?? '',
    last_seen_at: Number.isNaN(seenAt) ? null : dhakaIso(seenAt + shift),
    downtime: text('downtime') ?? '',
    battery: count('battery'),
    charging: typeof record.charging === 'boolean' ? record.charging : null,
    network: text('network'),
    problem: text('problem'),
    pending_sms: count('pending_sms'),
    pending_dispatches: count('pending_dispatches'),
  };
}
