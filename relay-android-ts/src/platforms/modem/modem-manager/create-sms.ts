/**
 * Makes an SMS in ModemManager over the system bus itself. mmcli and busctl would have its text and number on
 * their command line, where each user of the machine can read them.
 */
import { createConnection, type Socket } from 'node:net';
import { reasonOf } from '../../../core/errors.js';
import { type BusMessage, ERROR, lengthOf, METHOD_RETURN, readMessage, writeCall } from './bus-message.js';
import { type Answer, judgeWords } from './mmcli.js';

/** Makes an SMS and sends nothing. Its answer names the new object. Never rejects. */
export type CreateSms = (modem: string, number: string, text: string) => Promise<Answer>;

const SYSTEM_BUS = 'unix:path=/run/dbus/system_bus_socket';
const DBUS = 'org.freedesktop.DBus';
const NAME = 'org.freedesktop.ModemManager1';
const LIMIT_MS = 15_000;
const MAX_BYTES = 1 << 20;
const [HELLO, CREATE] = [1, 2];

/** @param address of the bus, in the form of D-Bus; that of the system unless told */
export function createSmsOver(address = SYSTEM_BUS, limitMs = LIMIT_MS): CreateSms {
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

function exchange(socket: Socket, calls: readonly Buffer[], limitMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const end = (answer: Answer): void => {
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
        end({ kind: 'failed', message: reasonOf(error) });
      }
    });
    const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
    socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
  });
}

/** Goes through the whole messages; null while the answer has not come. */
function takeAnswer(input: Buffer, keep: (rest: Buffer) => void): Answer | null {
  let rest = input;
  for (;;) {
    const length = lengthOf(rest);
    if (length === null || rest.length < length) break;
    const answer = answerOf(readMessage(rest.subarray(0, length)));
    if (answer !== null) return answer;
    rest = rest.subarray(length);
  }
  keep(rest);
  return null;
}

function answerOf({ type, replyTo, errorName, text }: BusMessage): Answer | null {
  if (replyTo !== HELLO && replyTo !== CREATE) return null;
  if (type === ERROR) return judgeWords(`${errorName}: ${text}`);
  return type === METHOD_RETURN && replyTo === CREATE ? { kind: 'answered', stdout: text } : null;
}

/** The path of a socket; null for other kinds of addresses. */
function socketOf(address: string): string | null {
  const [, kind, path] = /^unix:(path|abstract)=([^,;]+)/.exec(address) ?? [];
  return path === undefined ? null : kind === 'abstract' ? `\0${path}` : path;
}
