/**
 * `kashbox setup` on a fresh machine, by flags and as a person answers it: what it prints is done word for
 * word, and the phone is paired and brings an SMS. Real commands, the real daemon, the real agent.
 */
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { isFree } from '../../src/demo/demo-env.js';
import { PLUGIN_NAMES } from '../../src/domain/plugins/plugins.js';
import { freePort } from '../helpers/network/free-port.js';
import { type Cli, openCli } from '../helpers/programs/cli.js';
import { startDaemon } from '../helpers/programs/daemon.js';
import { relayProgram, runNode, startNode } from '../helpers/programs/processes.js';
import { openTerminal } from '../helpers/programs/terminal.js';
import { newSms } from '../helpers/shop/till.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import { until } from '../helpers/until.js';

const FLAGS = [
  ...['setup', '--merchant-name', 'Alo', '--account', 'mfs_a:personal:০১৭১১০০০০০১'],
  ...['--device-name', 'counter-1', '--sim', '১=০১৭১১০০০০০১'],
];

/** A phone that is paired by the line as it stands. */
async function pair(t: ExecutionContext, printed: string) {
  const [, line = ''] = /^ {2}kashbox-relay (pair \S.*)$/m.exec(printed) ?? [];
  const phone = { KASHBOX_RELAY_HOME: await temporaryFolder(t) };
  const paired = await runNode(t, [relayProgram, ...line.trim().split(' ')], phone);
  t.is(paired.code, 0, `${line}\n${paired.stderr}`);
  const inbox = join(phone.KASHBOX_RELAY_HOME, 'inbox');
  mkdirSync(inbox);
  return { phone, inbox };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Starts the daemon as the last line says, runs the line for the phone as it stands, and sends an SMS. */
async function doAsPrinted(t: ExecutionContext, kashbox: Cli, printed: string, port: number): Promise<void> {
  const [, host] = /^Next: kashbox daemon(?: --host (\S+))?$/m.exec(printed) ?? [];
  const env = { KASHBOX_PORT: String(port), ...(host === undefined ? {} : { KASHBOX_HOST: host }) };
  await startDaemon(t, { home: kashbox.home, port, env });
  const { phone, inbox } = await pair(t, printed);
  const { sms } = newSms();
  writeFileSync(join(inbox, '1.json'), JSON.stringify(sms));
  const ran = await runNode(t, [relayProgram, 'run', '--once', '--inbox', inbox], phone);
  t.is(ran.code, 0, ran.stderr);
  const [device] = (await kashbox('devices', 'list', '--json')).json<{ name: string; state: string }[]>();
  t.like(device, { name: 'counter-1', state: 'ONLINE' });
  const [stored] = (await kashbox('sms', 'list', '--json')).json<{ body: string; recipient: string }[]>();
  t.like(stored, { body: sms.body, recipient: '01711000001' });
}

test('set up by flags, the printed line pairs the phone with the daemon that is started then', async (t) => {
  const port = await freePort();
  const kashbox = await openCli(t, { KASHBOX_PORT: String(port) });
  const made = await kashbox(...FLAGS, '--url', `https://127.0.0.1:${port}`);
  t.is(made.code, 0, made.stderr);
  const again = `kashbox devices rotate counter-1 --url https://127.0.0.1:${port}`;
  t.true(made.stderr.includes(`If the code has expired by then: ${again}\n`), made.stderr);
  await doAsPrinted(t, kashbox, made.stdout, port);
  const rotated = await kashbox(...again.split(' ').slice(1));
  t.is(rotated.code, 0);
  const pinOf = (text: string) => /--fingerprint (\S+)/.exec(text)?.[1];
  t.is(pinOf(rotated.stdout), pinOf(made.stdout));
});

test('the wizard asks where the phone finds the machine, takes Bangla digits, and what it prints pairs', async (t) => {
  const port = await freePort();
  const kashbox = await openCli(t, { KASHBOX_PORT: String(port) });
  const env = { TERM: 'xterm', LANG: 'C.UTF-8', KASHBOX_HOME: kashbox.home, KASHBOX_PORT: String(port) };
  await kashbox('merchants', 'create', '--name', 'Taken');
  const terminal = await openTerminal(t, { columns: 240, rows: 140, args: ['setup'], env });
  const answer = async (question: RegExp, text = '') => {
    await terminal.shows(question);
    if (text !== '') await terminal.press('-l', text);
    await terminal.press('Enter');
  };
  await answer(/There is already a shop\. What do you want to do\?/);
  await answer(/Name of the shop:/, 'Taken');
  await terminal.shows(/There is already a merchant named "Taken"/);
  await terminal.press('C-u');
  await answer(/Name of the shop:/, 'Alo');
  await answer(/Mobile number that customers see/);
  await answer(/E-mail address that customers see/);
  await terminal.shows(/Which program does the shop run\?/);
  await terminal.press('Down', 'Enter');
  await answer(/Which wallet receives the money\?/);
  await answer(/What kind of account is it\?/);
  await answer(/Its number:/, '০১৭১১০০০০০১');
  await answer(/File of a picture of its Bangla QR \(optional\):/);
  await answer(/Another wallet\?/);
  await answer(/Do you have the phone that receives the SMS with you\?/);
  await answer(/A name for the phone:/);
  await answer(/Number of SIM 1:/);
  const offered = await terminal.shows(/At which address can the phone reach this daemon\?/);
  t.regex(offered, new RegExp(`https://127\\.0\\.0\\.1:${port} +\\(this machine only`));
  await terminal.press('Enter');
  await terminal.shows(/The phone needs the daemon\. How should it run\?/);
  await terminal.press('Enter');
  const printed = await terminal.shows(
    /Waiting for the phone: counter-1\. Press Enter to continue without it/,
  );
  const brand = await kashbox('brands', 'show', 'Alo', '--json');
  t.is(brand.json<{ plugin: string }>().plugin, String(PLUGIN_NAMES[0]));
  const { phone, inbox } = await pair(t, printed);
  startNode(t, [relayProgram, 'run', '--inbox', inbox], phone);
  await terminal.shows(/The phone counter-1 is online/);
  await answer(/Make a test payment\?/);
  await terminal.shows(
    /Now pay exactly Tk 10\.00 from another phone, to one of these:\n {2}bKash personal 01711000001/,
  );
  const { sms, reference } = newSms('10.00');
  // Renamed into place, so that the agent never reads half of it.
  writeFileSync(join(inbox, '1.part'), JSON.stringify(sms));
  renameSync(join(inbox, '1.part'), join(inbox, '1.json'));
  await terminal.shows(new RegExp(`Paid: Tk 10\\.00 with ${reference}\\. Payment \\w+ is COMPLETED\\.`));
  await terminal.shows(/^Next: kashbox daemon( --host 0\.0\.0\.0)?$/m);
  await terminal.shows(/^ended with 0$/m);
  const [paid] = (await kashbox('payments', 'list', '--json')).json<{ status: string; amount: string }[]>();
  t.like(paid, { status: 'COMPLETED', amount: '10.00' });
});

test('Ctrl-C in the wizard keeps the shop and the terminal, and leaves no daemon behind', async (t) => {
  const port = await freePort();
  const kashbox = await openCli(t, { KASHBOX_PORT: String(port) });
  await kashbox(...FLAGS, '--url', `https://127.0.0.1:${port}`);
  const env = { TERM: 'xterm', LANG: 'C.UTF-8', KASHBOX_HOME: kashbox.home, KASHBOX_PORT: String(port) };
  const terminal = await openTerminal(t, { columns: 100, rows: 30, args: ['setup'], env });
  await terminal.shows(/There is already a shop\. What do you want to do\?/);
  await terminal.press('Down', 'Enter');
  await terminal.shows(/How should it run\?/);
  await terminal.press('Enter');
  await terminal.shows(/Waiting for the phone/);
  await terminal.press('C-c');
  await terminal.shows(/Setup stopped\. The shop is kept; to test it later: kashbox setup --brand Alo/);
  await terminal.shows(/^ended with 0$/m);
  t.true(await terminal.isAsBefore());
  t.true(await isFree('127.0.0.1', port));
});

test('a terminal that closes amid the questions ends setup, and nothing was made', async (t) => {
  const kashbox = await openCli(t);
  const env = { TERM: 'xterm', LANG: 'C.UTF-8', KASHBOX_HOME: kashbox.home };
  const terminal = await openTerminal(t, { columns: 80, rows: 24, args: ['setup'], env });
  await terminal.shows(/Is this a server with a domain name, such as pay\.example\.com\?.*\(y\/N\)/);
  await terminal.press('Enter');
  await terminal.shows(/Name of the shop:/);
  await terminal.press('-l', 'Alo');
  await terminal.press('Enter');
  await terminal.shows(/Mobile number that customers see/);
  const pid = terminal.pid();
  await terminal.hangUp();
  await until(() => !isRunning(pid));
  t.deepEqual((await kashbox('merchants', 'list', '--json')).json(), []);
});

test('a certificate that setup makes is good for the address of the phone, and is made for no name', async (t) => {
  const kashbox = await openCli(t);
  const certificate = join(kashbox.home, 'tls', 'cert.pem');
  const made = await kashbox(...FLAGS, '--url', 'https://pay.example.com');
  t.is(made.code, 0);
  t.notRegex(made.stdout, /fingerprint|pinnedpubkey/);
  t.regex(
    made.stderr,
    /no certificate yet.*: kashbox devices rotate counter-1 --url https:\/\/pay\.example\.com\n/,
  );
  t.false(existsSync(certificate), 'somebody may have a real one for that name');
  const rotated = await kashbox('devices', 'rotate', 'counter-1', '--url', 'https://192.168.7.7:8443');
  t.is(new X509Certificate(readFileSync(certificate)).checkIP('192.168.7.7'), '192.168.7.7');
  t.regex(rotated.stdout, /--fingerprint [0-9a-f]{64}\n/);
  t.is((await kashbox('setup', '--merchant-name', 'B', '--url', 'http://x')).code, 2);
});

test('without an address it warns that the phone cannot reach this machine, and says what to do', async (t) => {
  const kashbox = await openCli(t);
  const made = await kashbox(...FLAGS);
  t.is(made.code, 0);
  t.regex(
    made.stdout,
    /kashbox-relay pair --url https:\/\/127\.0\.0\.1:8443 --code \S+ --fingerprint [0-9a-f]{64}\n/,
  );
  t.regex(
    made.stderr,
    /Start the daemon with --host 0\.0\.0\.0 and create a code.*: kashbox devices rotate counter-1 --url \S+\n/,
  );
  const bare = await kashbox('setup', '--merchant-name', 'Bela');
  t.deepEqual([bare.code, bare.stderr], [0, '']);
});
