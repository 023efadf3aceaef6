/**
 * Makes an SMS in ModemManager over the system bus itself. mmcli and busctl would have its text and number on
 * their command line, where each user of the machine can read them.
 */
import { createConnection, type Socket } from 'node:net';
import { errorMessage } from '../../../core/errors.js';
import { judgeWords, type MmcliAnswer } from './mmcli.js';

/** Makes an SMS and sends nothing. Its answer names the new object. Never rejects. */
export type CreateSms = (modem: string, number: string, text: string) => Promise<MmcliAnswer>;

const SYSTEM_BUS = 'unix:path=/run/dbus/system_bus_socket';
const DBUS = 'org.freedesktop.DBus';
const NAME = 'org.freedesktop.ModemManager1';
const LIMIT_MS = 15_000;
const MAX_BYTES = 1 << 20;
const [HELLO, CREATE] = [1, 2];

/** @param address D-Bus address of the bus; default: the system bus */
export function createSmsViaDbus(address = SYSTEM_BUS, limitMs = LIMIT_MS): CreateSms {
  return (modem, number, text) => {
    const path = socketOf(address);
    if (path === null) return Promise.resolve({ kind: 'not_running' });
    const hello = { destination: DBUS, path: '/org/freedesktop/DBus', interface: DBUS, member: 'Hello' };
    const create = {
      destination: NAME,
      path: modem,
      interface: `${NAME}.Modem.Messaging`,
      member: 'Create',
      values: { number, text, 'delivery-report-request': true },
    };
    const calls = [
      writeCall({ ...hello, serial: HELLO, values: null }),
      writeCall({ ...create, serial: CREATE }),
    ];
    return exchange(createConnection(path), calls, limitMs);
  };
}

function exchange(socket: Socket, calls: readonly Buffer[], limitMs: number): Promise<MmcliAnswer> {
  return new Promise((resolve) => {
    const end = (answer: MmcliAnswer): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end({ kind: 'hung' }), limitMs);
    let input = Buffer.alloc(0);
    let isLetIn = false;
    socket.on('error', () => end({ kind: 'not_running' }));
    socket.on('close', () => end({ kind: 'failed', message: 'the bus has closed the connection' }));
    socket.on('data', (bytes) => {
      input = Buffer.concat([input, bytes]);
      if (input.length > MAX_BYTES) return end({ kind: 'failed', message: 'the bus says too much' });
      if (!isLetIn) {
        const line = input.indexOf('\n');
        if (line < 0) return;
        if (!input.toString('latin1').startsWith('OK '))
          return end({ kind: 'forbidden', message: 'the bus does not let this user in' });
        isLetIn = true;
        input = input.subarray(line + 1);
        socket.write(Buffer.concat([Buffer.from('BEGIN\r\n'), ...calls]));
      }
      try {
        const answer = takeAnswer(input, (rest) => {
          input = Buffer.from(rest);
        });
        if (answer !== null) end(answer);
      } catch (error) {
        end({ kind: 'failed', message: errorMessage(error) });
      }
    });
    const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
    socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
  });
}

/** Parses the complete messages; `keep` gets the rest. @returns null until the answer has arrived */
function takeAnswer(input: Buffer, keep: (rest: Buffer) => void): MmcliAnswer | null {
  let rest = input;
  for (;;) {
    const length = lengthOf(rest);
    if (length === null || rest.length < length) break;
    const answer = answerOf(parseBusMessage(rest.subarray(0, length)));
    if (answer !== null) return answer;
    rest = rest.subarray(length);
  }
  keep(rest);
  return null;
}

function answerOf({ type, replyTo, errorName, text }: BusMessage): MmcliAnswer | null {
  if (replyTo !== HELLO && replyTo !== CREATE) return null;
  if (type === ERROR) return judgeWords(`${errorName}: ${text}`);
  return type === METHOD_RETURN && replyTo === CREATE ? { kind: 'answered', stdout: text } : null;
}

/** The path of a socket; null for other kinds of addresses. */
function socketOf(address: string): string | null {
  const [, kind, path] = /^unix:(path|abstract)=([^,;]+)/.exec(address) ?? [];
  return path === undefined ? null : kind === 'abstract' ? `\0${path}` : path;
}

interface BusCall {
  readonly serial: number;
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** The one argument, a dictionary; null for none. */
  readonly values: Readonly<Record<string, string | boolean>> | null;
}

/** A message that came. `text` is its first argument where that is a text or an object, else empty. */
interface BusMessage {
  readonly type: number;
  readonly replyTo: number;
  readonly errorName: string;
  readonly text: string;
}

const METHOD_CALL = 1;
const METHOD_RETURN = 2;
const ERROR = 3;
const FIELD = { path: 1, interface: 2, member: 3, error: 4, reply: 5, destination: 6, signature: 8 } as const;
const FIXED_BYTES = 16;
const VERSION = 1;

class Writer {
  private bytes: number[] = [];

  get length(): number {
    return this.bytes.length;
  }

  align(to: number): this {
    while (this.bytes.length % to !== 0) this.bytes.push(0);
    return this;
  }

  byte(...values: readonly number[]): this {
    this.bytes.push(...values);
    return this;
  }

  number(value: number): this {
    return this.align(4).byte(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24);
  }

  text(value: string): this {
    const bytes = Buffer.from(value);
    return this.number(bytes.length)
      .byte(...bytes)
      .byte(0);
  }

  signature(value: string): this {
    return this.byte(value.length, ...Buffer.from(value), 0);
  }

  /** Writes an array. Its length does not include the padding before the first item. */
  array(itemAlign: number, items: (writer: Writer) => void): this {
    this.number(0);
    const place = this.bytes.length - 4;
    this.align(itemAlign);
    const begin = this.bytes.length;
    items(this);
    const length = new Writer().number(this.bytes.length - begin);
    this.bytes.splice(place, 4, ...length.bytes);
    return this;
  }

  take(): Buffer {
    return Buffer.from(this.bytes);
  }
}

/** Messages of D-Bus as they go over the wire, as far as one call with a dictionary needs them. Pure. */
function writeCall(call: BusCall): Buffer {
  const body = bodyOf(call.values);
  const texts: readonly (readonly [number, string, string])[] = [
    [FIELD.path, 'o', call.path],
    [FIELD.interface, 's', call.interface],
    [FIELD.member, 's', call.member],
    [FIELD.destination, 's', call.destination],
  ];
  const header = new Writer()
    .byte('l'.charCodeAt(0), METHOD_CALL, 0, VERSION)
    .number(body.length)
    .number(call.serial)
    .array(8, (fields) => {
      for (const [field, type, value] of texts) fields.align(8).byte(field).signature(type).text(value);
      if (call.values !== null) fields.align(8).byte(FIELD.signature).signature('g').signature('a{sv}');
    })
    .align(8);
  return Buffer.concat([header.take(), body]);
}

function bodyOf(values: BusCall['values']): Buffer {
  if (values === null) return Buffer.alloc(0);
  return new Writer()
    .array(8, (entries) => {
      for (const [name, value] of Object.entries(values)) {
        entries.align(8).text(name);
        if (typeof value === 'string') entries.signature('s').text(value);
        else entries.signature('b').number(value ? 1 : 0);
      }
    })
    .take();
}

/** Length of the first message, in bytes; null until its header has arrived. */
function lengthOf(bytes: Buffer): number | null {
  if (bytes.length < FIXED_BYTES) return null;
  const number = reader(bytes);
  return aligned(FIXED_BYTES + number(12)) + number(4);
}

/** @param bytes one message. @throws RangeError where it is cut */
function parseBusMessage(bytes: Buffer): BusMessage {
  const number = reader(bytes);
  const end = FIXED_BYTES + number(12);
  const texts = new Map<number, string>();
  let replyTo = 0;
  for (let at = FIXED_BYTES; at < end; ) {
    at = aligned(at);
    const field = bytes.readUInt8(at);
    const type = String.fromCharCode(bytes.readUInt8(at + 2));
    // Behind the field come the signature, which is one letter here, and the value.
    at += 4;
    if (type === 'u') {
      if (field === FIELD.reply) replyTo = number(at);
      at += 4;
      continue;
    }
    const isShort = type === 'g';
    const length = isShort ? bytes.readUInt8(at) : number(at);
    const begin = at + (isShort ? 1 : 4);
    texts.set(field, bytes.toString('utf8', begin, begin + length));
    at = begin + length + 1;
  }
  const body = aligned(end);
  const isText = /^[so]/.test(texts.get(FIELD.signature) ?? '');
  return {
    type: bytes.readUInt8(1),
    replyTo,
    errorName: texts.get(FIELD.error) ?? '',
    text: isText ? bytes.toString('utf8', body + 4, body + 4 + number(body)) : '',
  };
}

/** Numbers are in the order of bytes that the first one names. */
function reader(bytes: Buffer): (at: number) => number {
  const isLittle = bytes[0] === 'l'.charCodeAt(0);
  return (at) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
}

const aligned = (at: number): number => Math.ceil(at / 8) * 8;
