/** Clients of HTTP/2: Node's own, and frames sent exactly as written. */
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { ExecutionContext } from 'ava';
import type { CoreOptions } from '../../../src/actions/core/core.js';
import { openPorts, openTlsWire, type Ports } from '../wire.js';

export const JSON_TYPE = { 'content-type': 'application/json' };

/** As `openPorts`, with HTTP/2 offered whatever Node this is. */
export function openHttp2(t: ExecutionContext<unknown>, options: Partial<CoreOptions> = {}): Promise<Ports> {
  return openPorts(t, { ...options, env: { KASHBOX_HTTP2: 'on', ...options.env } });
}

/** A session of Node's client, as a browser opens one for all its pages. */
export async function openSession(t: ExecutionContext<unknown>, port: number): Promise<ClientHttp2Session> {
  // What waits to be sent counts as memory of the session: more than Node's own 10 MB here.
  const options = { rejectUnauthorized: false, maxSessionMemory: 100 };
  const session = connect(`https://127.0.0.1:${port}`, options);
  session.on('error', () => {});
  t.teardown(() => session.destroy());
  await once(session, 'connect');
  return session;
}

export interface Answer {
  /** 0 where there was none. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** The code with which the stream was closed; 0 is a good end. */
  readonly code: number;
}

/** Reads the answer on a stream to its end, however that comes. */
export async function answerOf(stream: ClientHttp2Stream): Promise<Answer> {
  let headers: IncomingHttpHeaders = {};
  const chunks: Buffer[] = [];
  stream.on('response', (answered) => {
    headers = answered;
  });
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('error', () => {});
  if (!stream.closed) await new Promise<void>((resolve) => stream.once('close', () => resolve()));
  const body = Buffer.concat(chunks);
  const status = Number(headers[':status'] ?? 0);
  return { status, headers, body, text: body.toString('utf8'), code: stream.rstCode ?? 0 };
}

/** Sends one whole request. */
export function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<Answer> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return answerOf(stream);
}

export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;

export const END_STREAM = 1;
export const END_HEADERS = 4;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A header block of HPACK without a table: each name and value as it is, up to 126 bytes. */
export function block(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** The four headers that every request has. */
export function request(method: string, path: string): [name: string, value: string][] {
  return [
    [':method', method],
    [':scheme', 'https'],
    [':path', path],
    [':authority', 'localhost'],
  ];
}

/** A connection that has agreed on HTTP/2 and said its preface; the frames that come back are kept. */
export async function openFrames(
  t: ExecutionContext<unknown>,
  port: number,
  settings: readonly (readonly [id: number, value: number])[] = [],
) {
  const { socket, closed } = await openTlsWire(t, port, { ALPNProtocols: ['h2'] });
  socket.setEncoding('latin1');
  const frames: Frame[] = [];
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (text: string) => {
    rest = Buffer.concat([rest, Buffer.from(text, 'latin1')]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const end = 9 + rest.readUIntBE(0, 3);
      const [type, flags, stream] = [rest.readUInt8(3), rest.readUInt8(4), rest.readUInt32BE(5)];
      frames.push({ type, flags, stream, payload: rest.subarray(9, end) });
      rest = rest.subarray(end);
      if (type === FRAME.settings && flags === 0 && socket.writable && isPolite) {
        socket.write(frame(FRAME.settings, 1, 0));
      }
    }
  });
  let isPolite = true;
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  const pairs = settings.map(([id, value]) => Buffer.concat([number(id).subarray(2), number(value)]));
  socket.write(frame(FRAME.settings, 0, 0, Buffer.concat(pairs)));
  return {
    socket,
    frames,
    of: (type: number) => frames.filter((known) => known.type === type),
    send: (...bytes: Buffer[]) => void socket.write(Buffer.concat(bytes)),
    /** From now on it acknowledges nothing. */
    beRude: () => {
      isPolite = false;
    },
    /** Resolves once the other side has hung up, with how long that took. */
    closed: closed.then(() => performance.now()),
  };
}
