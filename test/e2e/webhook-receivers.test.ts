/**
 * The receivers of docs/webhooks.md exactly as they stand there, run by Node, PHP and Python, and called by
 * the real sender with what the real signer made.
 */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import ts from 'typescript-classic';
import { newWebhookSecret, systemRandom } from '../../src/base/values/ids.js';
import {
  contentType,
  notificationContent,
  type WebhookFormat,
} from '../../src/domain/notifications/notification.js';
import { createSender } from '../../src/notify/send.js';
import { SIGNATURE_HEADER, signatureHeaders } from '../../src/notify/signature.js';
import { blocksOf, readPage, sectionOf } from '../helpers/browser/pages.js';
import { freePort } from '../helpers/network/free-port.js';
import { type Process, startProgram } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const section = sectionOf(readPage('docs/webhooks.md'), 'Receivers');

interface Language {
  readonly name: string;
  /** Of the block on the page. */
  readonly block: string;
  readonly file: string;
  /** The program and its arguments. */
  command(file: string, port: number): readonly [string, ...string[]];
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    block: 'ts',
    file: 'receiver.ts',
    command: (file) => [process.execPath, '--import', import.meta.resolve('tsx'), file],
  },
  {
    name: 'PHP',
    block: 'php',
    file: 'receiver.php',
    command: (file, port) => ['php', '-n', '-S', `127.0.0.1:${port}`, file],
  },
  { name: 'Python', block: 'python', file: 'receiver.py', command: (file) => ['python3', '-I', file] },
];

const LOOK_MS = 50;
/** Counted, and not timed: a machine that stands still for a while has not looked. */
const LOOKS = 600;
const fresh = () => newWebhookSecret(systemRandom);

function codeFor({ block }: Language): string {
  const [code = '', ...others] = blocksOf(section, block);
  if (others.length > 0) throw new Error(`the page has several receivers in ${block}`);
  return code;
}

interface Receiver {
  readonly port: number;
  readonly process: Process;
}

async function startReceiver(
  t: ExecutionContext,
  language: Language,
  secrets: readonly string[],
): Promise<Receiver> {
  const file = join(await temporaryFolder(t), language.file);
  await writeFile(file, codeFor(language));
  const port = await freePort();
  const [program, ...args] = language.command(file, port);
  const env = { HOME: process.env.HOME ?? '', PORT: String(port), WEBHOOK_SECRETS: secrets.join(' ') };
  const started = startProgram(t, program, args, env);
  let hasEnded = false;
  const ended = started.ended.then(() => {
    hasEnded = true;
  });
  for (let looks = 1; !(await isOpen(port)); looks += 1) {
    if (hasEnded || looks > LOOKS) throw new Error(`${program} did not start:\n${started.stderr()}`);
    await Promise.race([ended, sleep(LOOK_MS)]);
  }
  return { port, process: started };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const opened = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return opened;
}

function contentOf(format: WebhookFormat): string {
  const facts = {
    sessionId: '2b37b7eabf3f93b131a98370d3e060e9',
    flow: 'hosted',
    status: 'COMPLETED',
    cusName: 'রহিমা "খাতুন" & ছেলে 🙂',
    cusEmail: 'customer@example.com',
    amountPaisa: 50_000,
    transactionId: 'DKL7CD1EF2',
    channel: 'mfs_a',
    metaJson: '{"order":12345678901234567890,"note":"a\\u0000b  +%"}',
    metadataAs: 'string',
    statusAs: 'upper',
    paidPaisa: 50_000,
    parts: [],
    refundedPaisa: 0,
    deliveryPaisa: 0,
    feePaisa: 925,
    units: null,
    receiver: null,
    items: [{ name: 'জামা "L" & টুপি', quantity: 2, pricePaisa: 25_000 }],
    description: 'অর্ডার ১৭ + উপহার',
    isTest: false,
  } as const;
  const envelope = { id: 'ntf_0', event: 'payment.completed', sequence: 2, createdAt: 1 } as const;
  return notificationContent(format, envelope, facts);
}

/** One notification as it should be, but for what is said. */
interface Sent {
  readonly format?: WebhookFormat;
  readonly secrets: readonly string[];
  /** Seconds before now at which it was signed. */
  readonly ageS?: number;
  /** What somebody on the way made of the body, and of our header. */
  readonly body?: (content: string) => string;
  readonly header?: (value: string) => string;
}

const sender = createSender();

/** @returns the status that the receiver answered. */
async function deliver({ port }: Receiver, sent: Sent): Promise<number | null> {
  const { format = 'json', secrets, ageS = 0, body = (text) => text, header = (text) => text } = sent;
  const content = contentOf(format);
  const headers = signatureHeaders({ id: 'ntf_0', at: Date.now() - ageS * 1_000, content, secrets });
  const result = await sender.send({
    url: `http://127.0.0.1:${port}/kashbox`,
    content: body(content),
    contentType: contentType(format),
    headers: { ...headers, [SIGNATURE_HEADER]: header(headers[SIGNATURE_HEADER] ?? '') },
    allowPrivate: true,
    deadlineMs: 20_000,
  });
  return result.status;
}

for (const language of LANGUAGES) {
  const { name } = language;

  test(`the receiver in ${name} answers 200 to what is signed with one of its secrets`, async (t) => {
    const [secret, old, strange] = [fresh(), fresh(), fresh()];
    const one = await startReceiver(t, language, [secret]);
    t.is(await deliver(one, { secrets: [secret] }), 200, one.process.stderr());
    t.is(await deliver(one, { secrets: [secret], format: 'form' }), 200);
    t.is(await deliver(one, { secrets: [secret, old] }), 200, 'two signatures, its own first');
    t.is(await deliver(one, { secrets: [strange, secret] }), 200, 'two signatures, its own last');
    t.is(await deliver(one, { secrets: [secret], ageS: 290 }), 200);
    t.is(await deliver(one, { secrets: [secret], ageS: -290 }), 200);

    const two = await startReceiver(t, language, [secret, old]);
    t.is(await deliver(two, { secrets: [old] }), 200);
    t.is(await deliver(two, { secrets: [secret] }), 200);
    t.is(await deliver(two, { secrets: [secret, old], format: 'form' }), 200);
    t.is(await deliver(two, { secrets: [strange] }), 401);
  });

  test(`the receiver in ${name} answers 401 to what is forged, changed or old`, async (t) => {
    const secret = fresh();
    const receiver = await startReceiver(t, language, [secret]);
    const refused: Readonly<Record<string, Sent>> = {
      'another secret': { secrets: [fresh()] },
      'another body': { secrets: [secret], body: (text) => text.replace('COMPLETED', 'COMPLETEd') },
      'a body that goes on': { secrets: [secret], body: (text) => `${text}\n` },
      'no body': { secrets: [secret], body: () => '' },
      'a form that was written anew': {
        secrets: [secret],
        format: 'form',
        body: (text) => text.replaceAll('+', '%20'),
      },
      'six minutes old': { secrets: [secret], ageS: 360 },
      'six minutes ahead': { secrets: [secret], ageS: -360 },
      'an old one with a new time': {
        secrets: [secret],
        ageS: 3_600,
        header: (value) => value.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1_000)}`),
      },
      'no time': { secrets: [secret], header: (value) => value.replace(/t=\d+,/, '') },
      'an endless time': {
        secrets: [secret],
        header: (value) => value.replace(/t=\d+/, `t=${'9'.repeat(5_000)}`),
      },
      'no signature': { secrets: [] },
      'an empty signature': { secrets: [secret], header: (value) => value.replace(/v1=.*/, 'v1=') },
      'half a signature': { secrets: [secret], header: (value) => value.slice(0, -32) },
      'a changed signature': {
        secrets: [secret],
        header: (value) => value.replace(/.$/, (sign) => (sign === '0' ? '1' : '0')),
      },
      'only another scheme': { secrets: [secret], header: (value) => value.replace('v1=', 'v0=') },
      'an empty header': { secrets: [secret], header: () => '' },
    };
    for (const [what, sent] of Object.entries(refused)) {
      t.is(await deliver(receiver, sent), 401, what);
    }
    t.is(await deliver(receiver, { secrets: [secret] }), 200, 'and goes on');
  });

  test(`the receiver in ${name} believes nobody while it has no secret`, async (t) => {
    const receiver = await startReceiver(t, language, []);
    t.is(await deliver(receiver, { secrets: [''] }), 401);
    t.is(await deliver(receiver, { secrets: [fresh()] }), 401);
  });

  test(`the receiver in ${name} outlives a caller that breaks off`, async (t) => {
    const secret = fresh();
    const receiver = await startReceiver(t, language, [secret]);
    const socket = connect(receiver.port, '127.0.0.1');
    await once(socket, 'connect');
    const head =
      'POST / HTTP/1.1\r\nHost: shop\r\nX-Service-Signature: t=1,v1=0\r\nContent-Length: 1000\r\n\r\n{';
    await new Promise((written) => socket.write(head, written));
    await sleep(100);
    socket.resetAndDestroy();
    t.is(await deliver(receiver, { secrets: [secret] }), 200, receiver.process.stderr());
  });
}

test('the receiver in TypeScript has no type error under strict rules', async (t) => {
  const [typescript] = LANGUAGES;
  const file = join(await temporaryFolder(t), 'receiver.ts');
  await writeFile(file, typescript === undefined ? '' : codeFor(typescript));
  const typeRoots = [fileURLToPath(new URL('../../../node_modules/@types', import.meta.url))];
  const program = ts.createProgram([file], {
    ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, types: ['node'], typeRoots },
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, skipLibCheck: true },
  });
  const faults = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  t.deepEqual(faults, []);
});
