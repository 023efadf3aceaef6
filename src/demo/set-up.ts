/** The first part of the demo: a shop is set up with the real commands, and its phone is paired. */
import { readFileSync } from 'node:fs';
import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyHint } from '../base/io/secret.js';
import { dhakaIso, dhakaText } from '../base/values/clock.js';
import { writeSms } from '../channels/mfs/index.js';
import { parseReadyLine } from '../cli/programs/child-processes.js';
import { envVariableName } from '../config/settings.js';
import { KINDS_OF_TYPE } from '../domain/accounts/channels.js';
import { trustCertificate } from './browser.js';
import { type DemoEnv, isFree } from './demo-env.js';
import type { Notices } from './shop.js';
import { assertResult, type Say, type Steps, shellWord, shortJson } from './steps.js';

const HOST = '127.0.0.1';
/** Setting that allows notifications to this machine over plain http. */
const EXCEPTION = { flag: '--allow-private-webhooks', variable: envVariableName('allowPrivateWebhooks') };
export const SHOP = 'Demo Shop';
export const PHONE = 'Counter phone';
/** The shop's wallet. Nobody's number. */
export const SHOP_NUMBER = '01700000001';

/** The two SMS of one payment. */
export interface WalletSms {
  readonly sender: string;
  /** Text that the shop's phone receives. */
  readonly body: string;
  /** Text that the customer's phone receives, with the same transaction id. */
  readonly sentBody: string;
  readonly trxId: string;
}

/**
 * Creates both SMS of a wallet for money from a customer to the shop; test brands use the shop's text.
 * @param amount taka with two decimals.
 */
export function createWalletSms({ clock, random }: DemoEnv, amount: string): WalletSms {
  const at = clock.now();
  const amountPaisa = Number(amount.replace('.', ''));
  const money = {
    channel: 'mfs_a',
    amountPaisa,
    at,
    kinds: KINDS_OF_TYPE.personal,
    reference: null,
  } as const;
  const sms = writeSms(money, random);
  if (sms === null) throw new TypeError('bKash has no text of money that came in');
  const [date = '', time = ''] = dhakaText(at).slice(0, 16).split(' ');
  const sent = `Send Money Tk ${amount} to ${SHOP_NUMBER} successful. Ref 1. Fee Tk 5.00. Balance Tk 1,244.61.`;
  const signed = `TrxID ${sms.trxId} at ${date.split('-').reverse().join('/')} ${time}`;
  return { ...sms, sentBody: `${sent} ${signed}` };
}

type RunningDaemon = Awaited<ReturnType<typeof startDaemon>>;
export type OpenShop = Awaited<ReturnType<typeof setUp>>;

/** @throws KashboxError, or what ended the demo from outside (`Stage.signal`). */
export async function setUp(stage: DemoEnv, steps: Steps, notices: Notices) {
  const daemon = await steps.run('daemon', 'The daemon starts', (say) => startDaemon(stage, say));
  const brandKey = await steps.run('merchant', 'A shop gets an account', (say) =>
    openShop(stage, notices, say),
  );
  await steps.run('account', 'The shop says where it is paid', (say) => setAccounts(stage, say));
  const code = await steps.run('device', "The shop's phone is enrolled", (say) => enroll(stage, daemon, say));
  await steps.run('pair', 'The phone pairs, once, with the code', (say) => pair(stage, daemon, code, say));
  await steps.run('relay', 'The relay agent runs on the phone', (say) => startRelay(stage, say));
  return { daemon, brandKey };
}

async function startDaemon(stage: DemoEnv, say: Say) {
  const { children, places } = stage;
  const free = await isFree(HOST, stage.port);
  const port = free ? stage.port : 0;
  if (!free) say('.', `Port ${stage.port} is taken by another program, so this takes a free one.`);
  const args = ['daemon', '--host', HOST, '--port', String(port), '--http-port', '0', EXCEPTION.flag];
  say('$', `kashbox ${args.join(' ')}`);
  const program = stage.program('kashbox', [...args, '--json']);
  const { pid, said } = await children.start(program, places.daemonLog, parseReadyLine);
  say('.', `process ${pid} listens on ${said.url}, with a certificate that it made for itself`);
  const certificate = readFileSync(join(places.home, 'tls', 'cert.pem'), 'utf8');
  trustCertificate(certificate);
  return { ...said, certificate };
}

/** Runs a command of the shop's operator and prints it. @returns its JSON output. */
export async function kashbox(
  stage: DemoEnv,
  args: readonly string[],
  say: Say,
): Promise<Record<string, unknown>> {
  say('$', `kashbox ${args.map(shellWord).join(' ')}`);
  return stage.children.ask(stage.program('kashbox', [...args, '--json']));
}

async function openShop(stage: DemoEnv, notices: Notices, say: Say): Promise<string> {
  const args = ['merchants', 'create', '--name', SHOP, '--webhook-url', notices.url];
  say('$', `${EXCEPTION.variable}=true kashbox ${args.map(shellWord).join(' ')}`);
  const program = stage.program('kashbox', [...args, '--json']);
  const env = { ...program.env, [EXCEPTION.variable]: 'true' };
  const { brand_key, webhook_secret } = await stage.children.ask({ ...program, env });
  assertResult(typeof brand_key === 'string', 'a Brand Key', shortJson(brand_key));
  assertResult(typeof webhook_secret === 'string', 'a webhook secret', shortJson(webhook_secret));
  notices.trust(webhook_secret);
  say('.', `Brand Key ${keyHint(brand_key)}, shown once and kept as a hash only`);
  say('.', "the shop's server listens there; a real one has https and needs no exception");
  return brand_key;
}

async function setAccounts(stage: DemoEnv, say: Say): Promise<void> {
  for (const channel of ['mfs_a', 'mfs_b']) {
    const wallet = ['--channel', channel, '--type', 'personal', '--number', SHOP_NUMBER];
    const account = await kashbox(stage, ['accounts', 'set', '--brand', SHOP, ...wallet], say);
    assertResult(account.active === true, 'an active account', shortJson(account));
  }
  say('.', 'bKash and Nagad on one number; the running daemon knows them from its next request on');
}

async function enroll(stage: DemoEnv, daemon: RunningDaemon, say: Say): Promise<string> {
  const phone = ['--merchant', SHOP, '--name', PHONE, '--sim', `1=${SHOP_NUMBER}`, '--url', daemon.url];
  const { pairing_code: code } = await kashbox(stage, ['devices', 'enroll', ...phone], say);
  assertResult(typeof code === 'string', 'a pairing code', shortJson(code));
  say('.', `pairing code ${code}, good once, for 10 minutes`);
  return code;
}

async function pair(stage: DemoEnv, daemon: RunningDaemon, code: string, say: Say): Promise<void> {
  const { url, fingerprint } = daemon;
  say('$', `kashbox-relay pair --url ${url} --code ${code} --fingerprint ${fingerprint.slice(0, 8)}…`);
  const args = ['pair', '--url', url, '--code', code, '--fingerprint', fingerprint, '--json'];
  const { device } = await stage.children.ask(stage.program('kashbox-relay', args));
  say('.', `the phone has its key; it trusts this one certificate, by its fingerprint`);
  const { name } = device as { readonly name?: string };
  assertResult(name === PHONE, `the phone "${PHONE}"`, shortJson(device));
}

async function startRelay(stage: DemoEnv, say: Say): Promise<void> {
  const { inbox, relayLog } = stage.places;
  await mkdir(inbox, { recursive: true });
  await writeFile(join(inbox, 'health.json'), '{"battery":87,"charging":true,"network":"wifi"}\n');
  say('$', `kashbox-relay run --platform simulator --inbox ${shellWord(inbox)}`);
  const program = stage.program('kashbox-relay', ['run', '--platform', 'simulator', '--inbox', inbox]);
  const isConnected = (line: string) => (line.includes('connected to') ? true : undefined);
  const { pid } = await stage.children.start(program, relayLog, isConnected);
  say('.', `process ${pid} is connected; the phone is simulated, its SMS come from that folder`);
}

const TAKEN_DEADLINE_MS = 20_000;
const LOOK_EVERY_MS = 25;

/**
 * Texts differ in their ids, which name their files.
 * @returns when the relay agent has the SMS: when that arrived, on the clock of `performance.now()`, and how
 * long the agent took to put it on its disk.
 */
export async function deliver({ places, clock, signal }: DemoEnv, { sender, body, trxId }: WalletSms) {
  const { inbox } = places;
  const message = { sender, body, received_at: dhakaIso(clock.now()) };
  const file = `sms-${trxId}.json`;
  // The agent takes whole files, so that it never reads a half-written one.
  await writeFile(join(inbox, `${file}.part`), JSON.stringify(message));
  const at = performance.now();
  await rename(join(inbox, `${file}.part`), join(inbox, file));
  const isTaken = () =>
    access(join(inbox, 'taken', file)).then(
      () => true,
      () => false,
    );
  while (!(await isTaken())) {
    assertResult(performance.now() - at < TAKEN_DEADLINE_MS, 'the agent to take the SMS', 'nothing');
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  return { at, takenMs: performance.now() - at };
}
