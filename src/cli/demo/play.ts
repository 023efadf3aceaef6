/**
 * What the demo plays, in its order: a shop is set up with the real commands, a phone is paired, and one
 * payment goes from the shop's request to the confirmed SMS. Each step fails where the spec is not kept.
 */
import { readFileSync } from 'node:fs';
import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dhakaIso } from '../../base/clock.js';
import { keyHint } from '../../base/secret.js';
import { type Answer, type Daemon, post } from './shop-server.js';
import { receivedSms, type WalletSms } from './sms.js';
import { isFree, type Stage } from './stage.js';
import { expect, type Say, type Steps } from './steps.js';
import { duration, shellWord, shortJson } from './text.js';

const HOST = '127.0.0.1';
export const SHOP = 'Demo Shop';
export const PHONE = 'Counter phone';
/** The shop's wallet, and its customer's. Nobody's numbers. */
export const SHOP_NUMBER = '01700000001';
export const CUSTOMER_NUMBER = '01900000002';
const AMOUNT = 500;
const CREATE = '/api/v2/payment/create';
const VERIFY = '/api/v2/payment/verify';
const SETTLE_DEADLINE_MS = 20_000;
const LOOK_EVERY_MS = 25;

export interface RunningDaemon extends Daemon {
  readonly fingerprint: string;
}

/** What is there when the demo has been played. */
export interface Played {
  readonly daemon: RunningDaemon;
  readonly brandKey: string;
}

/** @throws KashboxError, or what ended the demo from outside (`Steps.signal`). */
export async function play(stage: Stage, steps: Steps): Promise<Played> {
  const daemon = await steps.run('daemon', 'The daemon starts', (say) => startDaemon(stage, say));
  const brandKey = await steps.run('merchant', 'A shop gets an account', (say) => openShop(stage, say));
  await steps.run('account', 'The shop says where it is paid', (say) => setAccount(stage, say));
  const code = await steps.run('device', "The shop's phone is enrolled", (say) => enroll(stage, daemon, say));
  await steps.run('pair', 'The phone pairs, once, with the code', (say) => pair(stage, daemon, code, say));
  await steps.run('relay', 'The relay agent runs on the phone', (say) => startRelay(stage, say));

  const shop: ShopServer = async (path, body, say) => {
    say('>', `POST ${path}  ${shortJson(body)}`);
    const answer = await post(daemon, path, brandKey, body, steps.signal);
    say('<', `${answer.status}  ${shortJson(answer.body)}  (${duration(answer.ms)})`);
    return answer;
  };
  const sms = walletSms(stage);
  const id = await steps.run('create', 'A customer wants to pay 500 taka', (say) => create(shop, say));
  const claim = { id, method: 'mfs_a', transaction_id: sms.trxId };
  await steps.run('early', 'The customer types the id before the SMS is here', (say) =>
    verifyEarly(shop, claim, say),
  );
  const sentAt = await steps.run('sms', "The wallet's SMS reaches the phone", (say) =>
    deliver(stage, steps.signal, sms, say),
  );
  await steps.run('settle', 'The phone hands it over, and the payment settles', (say) =>
    waitUntilSettled(stage, steps.signal, id, sentAt, say),
  );
  await steps.run('verify', 'The shop asks again', (say) => verify(shop, claim, say));
  await steps.run('twice', 'Nobody pays twice with one SMS', (say) => spendAgain(shop, claim, say));
  return { daemon, brandKey };
}

/** POSTs for the shop and tells what was sent and answered. */
type ShopServer = (path: string, body: object, say: Say) => Promise<Answer>;

async function startDaemon(stage: Stage, say: Say): Promise<RunningDaemon> {
  const { children, places } = stage;
  const free = await isFree(HOST, stage.port);
  const port = free ? stage.port : 0;
  if (!free) say('.', `Port ${stage.port} is taken by another program, so this takes a free one.`);
  const args = ['daemon', '--host', HOST, '--port', String(port), '--http-port', '0'];
  say('$', `kashbox ${args.join(' ')}`);
  const program = stage.program('kashbox', [...args, '--json']);
  const { pid, said } = await children.start(program, places.daemonLog, readListening);
  say('.', `process ${pid} listens on ${said.url}, with a certificate that it made for itself`);
  return { ...said, certificate: readFileSync(join(places.home, 'tls', 'cert.pem'), 'utf8') };
}

/** The line with which `kashbox daemon --json` says that it is ready; its log lines have no such field. */
function readListening(line: string): { readonly url: string; readonly fingerprint: string } | undefined {
  if (!line.startsWith('{"listening":')) return undefined;
  const { listening, fingerprint } = JSON.parse(line) as {
    readonly listening: { readonly https: string };
    readonly fingerprint: string;
  };
  return { url: listening.https, fingerprint };
}

async function kashbox(stage: Stage, args: readonly string[], say: Say): Promise<Record<string, unknown>> {
  say('$', `kashbox ${args.map(shellWord).join(' ')}`);
  return stage.children.ask(stage.program('kashbox', [...args, '--json']));
}

async function openShop(stage: Stage, say: Say): Promise<string> {
  const { brand_key } = await kashbox(stage, ['merchants', 'create', '--name', SHOP], say);
  expect(typeof brand_key === 'string', 'a Brand Key', shortJson(brand_key));
  say('.', `Brand Key ${keyHint(brand_key)}, shown once and kept as a hash only`);
  return brand_key;
}

async function setAccount(stage: Stage, say: Say): Promise<void> {
  const wallet = ['--channel', 'mfs_a', '--type', 'personal', '--number', SHOP_NUMBER];
  const account = await kashbox(stage, ['accounts', 'set', '--brand', SHOP, ...wallet], say);
  expect(account.active === true, 'an active account', shortJson(account));
  say('.', 'mfs_a is bKash; the running daemon knows the account from its next request on');
}

async function enroll(stage: Stage, daemon: RunningDaemon, say: Say): Promise<string> {
  const phone = ['--merchant', SHOP, '--name', PHONE, '--sim', `1=${SHOP_NUMBER}`, '--url', daemon.url];
  const { pairing_code: code } = await kashbox(stage, ['devices', 'enroll', ...phone], say);
  expect(typeof code === 'string', 'a pairing code', shortJson(code));
  say('.', `pairing code ${code}, good once, for 10 minutes`);
  return code;
}

async function pair(stage: Stage, daemon: RunningDaemon, code: string, say: Say): Promise<void> {
  const { url, fingerprint } = daemon;
  say('$', `kashbox-relay pair --url ${url} --code ${code} --fingerprint ${fingerprint.slice(0, 8)}…`);
  const args = ['pair', '--url', url, '--code', code, '--fingerprint', fingerprint, '--json'];
  const { device } = await stage.children.ask(stage.program('kashbox-relay', args));
  say('.', `the phone has its key; it trusts this one certificate, by its fingerprint`);
  const { name } = device as { readonly name?: string };
  expect(name === PHONE, `the phone "${PHONE}"`, shortJson(device));
}

async function startRelay(stage: Stage, say: Say): Promise<void> {
  const { inbox, relayLog } = stage.places;
  await mkdir(inbox, { recursive: true });
  await writeFile(join(inbox, 'health.json'), '{"battery":87,"charging":true,"network":"wifi"}\n');
  say('$', `kashbox-relay run --platform simulator --inbox ${shellWord(inbox)}`);
  const program = stage.program('kashbox-relay', ['run', '--platform', 'simulator', '--inbox', inbox]);
  const isConnected = (line: string) => (line.includes('connected to') ? true : undefined);
  const { pid } = await stage.children.start(program, relayLog, isConnected);
  say('.', `process ${pid} is connected; the phone is simulated, its SMS come from that folder`);
}

async function create(shop: ShopServer, say: Say): Promise<string> {
  const { status, body } = await shop(CREATE, { cus_name: 'First customer', amount: AMOUNT }, say);
  const { id } = body;
  expect(status === 200 && typeof id === 'string', '200 with an id', shortJson(body));
  return id;
}

async function verifyEarly(shop: ShopServer, claim: object, say: Say): Promise<void> {
  const { status, body } = await shop(VERIFY, claim, say);
  expect(status === 404 && body.status === false, '404', `${status} ${shortJson(body)}`);
  say('.', 'not lost: the claim is kept, and the SMS will find it');
}

/** @returns the SMS that the customer's wallet provider is about to send. */
function walletSms(stage: Stage): WalletSms {
  const receipt = { amount: '500.00', balance: '7,350.25', from: CUSTOMER_NUMBER, at: stage.clock.now() };
  return receivedSms(receipt, stage.random);
}

/** @returns when the SMS arrived, on the clock of `performance.now()`. */
async function deliver(stage: Stage, signal: AbortSignal, sms: WalletSms, say: Say): Promise<number> {
  const { inbox } = stage.places;
  const message = { sender: sms.sender, body: sms.body, received_at: dhakaIso(stage.clock.now()) };
  say('.', `${sms.sender}: ${sms.body}`);
  // The agent takes whole files, so that it never reads a half-written one.
  await writeFile(join(inbox, 'sms-1.part'), JSON.stringify(message));
  const sentAt = performance.now();
  await rename(join(inbox, 'sms-1.part'), join(inbox, 'sms-1.json'));
  const isTaken = () =>
    access(join(inbox, 'taken', 'sms-1.json')).then(
      () => true,
      () => false,
    );
  while (!(await isTaken())) {
    expect(performance.now() - sentAt < SETTLE_DEADLINE_MS, 'the agent to take the SMS', 'nothing');
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  say(
    '.',
    `on the disk of the phone after ${duration(performance.now() - sentAt)}: from now on it cannot be lost`,
  );
  return sentAt;
}

/** Looks with a command and not with verify: nothing but the SMS may have settled it. */
async function waitUntilSettled(
  stage: Stage,
  signal: AbortSignal,
  id: string,
  sentAt: number,
  say: Say,
): Promise<void> {
  const args = ['payments', 'show', id];
  say('$', `kashbox ${args.join(' ')}`);
  for (;;) {
    const payment = await stage.children.ask(stage.program('kashbox', [...args, '--json']));
    if (payment.status === 'COMPLETED') {
      const { status, amount, channel, transaction_id } = payment;
      say('<', shortJson({ status, amount, channel, transaction_id }));
      say(
        '.',
        `seen ${duration(performance.now() - sentAt)} after the SMS arrived, and nobody had to ask again`,
      );
      return;
    }
    expect(performance.now() - sentAt < SETTLE_DEADLINE_MS, 'the payment COMPLETED', shortJson(payment));
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

async function verify(shop: ShopServer, claim: object, say: Say): Promise<void> {
  const { status, body } = await shop(VERIFY, claim, say);
  const data = (body.data ?? {}) as { readonly status?: string; readonly amount?: number };
  const holds =
    status === 200 && body.status === true && data.status === 'COMPLETED' && data.amount === AMOUNT;
  expect(holds, `200 with COMPLETED and ${AMOUNT}`, `${status} ${shortJson(body)}`);
}

async function spendAgain(shop: ShopServer, claim: { transaction_id: string }, say: Say): Promise<void> {
  const id = await create(shop, () => {});
  say('.', 'another order of 500 taka, and the same id for it:');
  const { status, body } = await shop(VERIFY, { ...claim, id }, say);
  expect(status === 400 && body.status === false, '400', `${status} ${shortJson(body)}`);
}
