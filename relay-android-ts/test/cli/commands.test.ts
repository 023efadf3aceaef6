/** The real program: exit codes, what it prints, what it never prints, and what lies in its home folder. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { APP_VERSION } from '../../src/version.js';
import { AgentProcess, arrive, pairedHome, runAgent, tempFolder, until } from '../helpers/agent.js';
import { receipted } from '../helpers/receipts.js';
import { makeCertificate, TestServer } from '../helpers/server.js';

const PACKAGE = fileURLToPath(new URL('../../../package.json', import.meta.url));

function sms(number: number): object {
  const received_at = `2026-01-31T10:00:00.${100 + number}+06:00`;
  return { sender: 'bKash', body: `secret text ${number}`, received_at };
}

const SIMULATOR = ['--platform', 'simulator'];

test('--version prints the version of the package', async (t) => {
  t.is(JSON.parse(await readFile(PACKAGE, 'utf8')).version, APP_VERSION);
  t.is((await runAgent(['--version'])).stdout.trim(), APP_VERSION);
});

test('every command explains itself with an example', async (t) => {
  const letters = ['list', 'retry', 'dismiss'].map((name) => ['dead-letters', name]);
  for (const command of [['pair'], ['run'], ['status'], ...letters]) {
    const { code, stdout } = await runAgent([...command, '--help']);
    t.is(code, 0);
    t.regex(stdout, /Examples?:\n/);
  }
});

test('input that cannot be is answered with exit code 2, also as JSON', async (t) => {
  const home = await tempFolder(t);
  const bad = [
    ['pair', '--home', home],
    ['pair', 'http://192.168.0.5', '--home', home],
    ['pair', '--url', 'http://192.168.0.5', '--code', 'ABCD-EFGH', '--home', home],
    ['pair', '--url', 'https://a', '--code', 'ABCD-EFGH', '--ca', join(home, 'missing.pem'), '--home', home],
    ['run', '--poll-ms', '0', '--home', home],
    ['run', '--platform', 'toaster', '--home', home],
    ['run', '--no-such-option'],
    ['sing'],
  ];
  for (const args of bad) t.is((await runAgent(args)).code, 2, args.join(' '));
  const json = await runAgent(['pair', 'x', '--json', '--home', home]);
  t.is(JSON.parse(json.stdout).error.code, 'invalid_input');
  t.regex(JSON.parse(json.stdout).error.hint, /the same command with --help/);
  const usage = await runAgent(['status', '--json', '--nonsense']);
  t.is(JSON.parse(usage.stdout).error.code, 'invalid_input');
});

test('reports at once that the home folder cannot be created', async (t) => {
  const server = await TestServer.start(t);
  const folder = await tempFolder(t);
  await writeFile(join(folder, 'file'), '');
  // In /proc every new name is answered "no such file", though the folder above it is there.
  for (const home of [join(folder, 'file'), join(folder, 'file', 'home'), '/proc/kashbox-relay-home']) {
    const { code, stdout } = await runAgent(['pair', server.link, '--home', home, '--json']);
    t.is(code, 5, home);
    t.is(JSON.parse(stdout).error.code, 'storage_failed');
  }
});

test('pairing keeps the key in a private folder and prints it nowhere', async (t) => {
  const server = await TestServer.start(t);
  const home = join(await tempFolder(t), 'deep', 'home');
  const { code, stdout, stderr } = await runAgent(['pair', server.link, '--home', home, '--json']);
  t.is(code, 0, stderr);
  t.deepEqual(JSON.parse(stdout), { url: server.url, device: { id: 'dev_test', name: 'Counter phone' } });
  t.false((stdout + stderr).includes(server.deviceKey));
  t.deepEqual(JSON.parse(server.seen[0]?.body ?? ''), {
    code: 'ABCD-EFGH',
    app_version: APP_VERSION,
    platform: 'computer',
  });
  t.is((await stat(home)).mode & 0o777, 0o700);
  for (const name of await readdir(home)) t.is((await stat(join(home, name))).mode & 0o777, 0o600, name);
  t.true((await readFile(join(home, 'config.json'), 'utf8')).includes(server.deviceKey));
});

test('pairing by address and code works with an authority from a file, or a fingerprint with colons', async (t) => {
  const server = await TestServer.start(t);
  const folder = await tempFolder(t);
  await writeFile(join(folder, 'ca.pem'), server.certificate.cert);
  const base = ['pair', '--url', server.url, '--code', 'abcd-efgh', '--home', join(folder, 'home')];
  t.is((await runAgent([...base, '--ca', join(folder, 'ca.pem')])).code, 0);
  const colons = server.certificate.sha256.match(/../g)?.join(':').toUpperCase() ?? '';
  const text = await runAgent([...base, '--fingerprint', colons]);
  t.is(text.code, 0);
  t.regex(text.stdout, /^Paired with https:.* as "Counter phone" \(dev_test\)/);
});

test('a wrong code, a wrong certificate and a server that is not there have their exit codes', async (t) => {
  const server = await TestServer.start(t);
  const home = await tempFolder(t);
  const wrongCode = await runAgent(['pair', server.link.replace('ABCD', 'WXYZ'), '--home', home]);
  t.is(wrongCode.code, 4);
  t.regex(wrongCode.stderr, /wrong, used or expired/);
  t.regex(wrongCode.stderr, /`kashbox devices rotate NAME`/, 'enroll refuses a name that is there');
  const stranger = await makeCertificate();
  const pin = server.link.replace(server.certificate.sha256, stranger.sha256);
  const before = server.plainBytes;
  t.is((await runAgent(['pair', pin, '--home', home])).code, 4);
  t.is(server.plainBytes, before, 'not even the code was sent');
  const link = server.link;
  await server.down();
  t.is((await runAgent(['pair', link, '--home', home])).code, 5);
  t.false((await readdir(home)).includes('config.json'));
});

test('run names the platforms on a computer instead of playing a phone, and the simulator says what it is', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  const { code, stderr } = await runAgent(['run', '--once', '--home', home]);
  t.is(code, 2);
  for (const name of ['Termux', '--platform modem', '--platform simulator'])
    t.true(stderr.includes(name), name);
  t.is((await runAgent(['run', '--platform', 'modem', '--inbox', home, '--home', home])).code, 2);
  const played = await runAgent(['run', ...SIMULATOR, '--once', '--home', home]);
  t.is(played.code, 0, played.stderr);
  t.regex(played.stderr, /this is the simulator: .*none is sent/);
});

test('run before pairing says what to do', async (t) => {
  const { code, stderr } = await runAgent(['run', '--home', await tempFolder(t)]);
  t.is(code, 4);
  t.regex(stderr, /kashbox-relay pair/);
});

test('the SMS of a folder with once: taken, delivered, exit code 0', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  const inbox = join(home, 'inbox');
  for (const number of [1, 2]) await arrive(inbox, number, sms(number));
  const agent = new AgentProcess(t, ['run', ...SIMULATOR, '--once', '--home', home]);
  const { code } = await agent.ended;
  const { stderr } = agent;
  t.is(code, 0, stderr);
  t.deepEqual((await readdir(join(inbox, 'taken'))).sort(), ['1.json', '2.json']);
  t.deepEqual(
    [...server.stored.values()].map(({ body }) => body),
    ['secret text 1', 'secret text 2'],
  );
  t.regex(stderr, /connected to https:\/\/127\.0\.0\.1:\d+ as "Counter phone"/);
  t.false(stderr.includes('secret text'));
  t.false(stderr.includes(server.deviceKey));
});

test('with once and no server the SMS are kept, the exit code is 5, and the next run delivers them', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  await server.down();
  const inbox = join(home, 'inbox');
  await arrive(inbox, 1, sms(1));
  t.is((await runAgent(['run', ...SIMULATOR, '--once', '--home', home])).code, 5);
  const waiting = JSON.parse((await runAgent(['status', '--json', '--home', home])).stdout);
  t.is(waiting.last_error.code, 'unreachable');
  t.is(waiting.queued, 1);
  t.false(waiting.last_error.mended);
  await server.up();
  t.is((await runAgent(['run', '--once', '--inbox', inbox, '--home', home])).code, 0);
  t.is(server.stored.size, 1);
  const text = (await runAgent(['status', '--home', home])).stdout;
  t.regex(text, /^Last error +\S+\+06:00, mended since: The server cannot be reached/m);
  t.regex(text, /^Last sync +\S+\+06:00$/m);
});

test('with once an inbox that cannot be read is not taken for an empty one', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  const file = join(home, 'config.json');
  const { code, stderr } = await runAgent(['run', '--once', '--inbox', file, '--home', home]);
  t.is(code, 5);
  t.regex(stderr, /not all SMS could be taken/);
});

test('status works while the agent runs and shows the queue, dead letters and errors', async (t) => {
  const server = await TestServer.start(t);
  server.fault = ({ body, response }) => {
    const results = body.messages.map(({ id }) => ({
      id,
      state: 'rejected',
      reason: 'received_at is too old',
    }));
    response.end(JSON.stringify(receipted(server.deviceKey, { status: true, results })));
    return true;
  };
  const home = await pairedHome(t, server);
  const inbox = join(home, 'inbox');
  const agent = new AgentProcess(t, ['run', ...SIMULATOR, '--home', home]);
  await arrive(inbox, 1, sms(1));
  const read = async () => JSON.parse((await runAgent(['status', '--json', '--home', home])).stdout);
  await until('the dead letter', async () => (await read()).dead_letters.length === 1);
  server.fault = ({ response }) => {
    response.writeHead(500).end('{"status":false,"message":"the disk is full"}');
    return true;
  };
  await arrive(inbox, 2, sms(2));
  await until('the error', async () => (await read()).last_error !== null);
  const report = await read();
  t.deepEqual(report.paired, { url: server.url, device: { id: 'dev_test', name: 'Counter phone' } });
  t.is(report.running, agent.child.pid);
  t.is(report.queued, 1);
  t.true(report.oldest_age_s >= 0);
  t.regex(report.last_error.message, /the disk is full/);
  t.is(report.dead_letters[0].reason, 'received_at is too old');
  const text = (await runAgent(['status', '--home', home])).stdout;
  t.regex(text, /Queue +1 waiting, the oldest for \d+ s/);
  t.regex(text, /Dead letters 1\n.*received_at is too old/);
  t.false((text + JSON.stringify(report)).includes(server.deviceKey));
});

test('a second agent in the same home is refused, and one after a kill is not', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  const first = new AgentProcess(t, ['run', ...SIMULATOR, '--home', home]);
  await until('the first is connected', () => server.syncs.length > 0);
  const second = await runAgent(['run', ...SIMULATOR, '--home', home]);
  t.is(second.code, 4);
  t.regex(second.stderr, /already running/);
  await first.kill('SIGKILL');
  const third = new AgentProcess(t, ['run', ...SIMULATOR, '--home', home]);
  await until('the third is connected', () => third.stderr.includes('connected to'));
  t.is(await third.kill('SIGTERM'), 0);
});

test('SIGTERM and SIGINT let the request in flight finish, and the exit code is 0', async (t) => {
  const server = await TestServer.start(t);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const home = await pairedHome(t, server);
    let release = (): void => {};
    server.stored.clear();
    server.fault = ({ body, response, commit }) => {
      if (body.messages.length === 0) return false;
      release = () => response.end(JSON.stringify(commit()));
      return true;
    };
    await arrive(join(home, 'inbox'), 1, sms(1));
    const before = server.syncs.length;
    const agent = new AgentProcess(t, ['run', ...SIMULATOR, '--home', home]);
    await until('the request with the SMS', () =>
      server.syncs.slice(before).some((body) => body.messages.length === 1),
    );
    agent.child.kill(signal);
    await until('the signal was heard', () => agent.stderr.includes('stopping'));
    release();
    t.is((await agent.ended).code, 0, signal);
    const report = JSON.parse((await runAgent(['status', '--json', '--home', home])).stdout);
    t.deepEqual([report.queued, report.running], [0, null]);
    t.is(server.stored.size, 1);
  }
});

test('--log-json writes one object a line', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  const { stderr } = await runAgent(['run', ...SIMULATOR, '--once', '--log-json', '--home', home]);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.true(lines.some((line) => line.level === 'info' && line.message.startsWith('connected to')));
});

test('with --log-file the log is in a file that its owner alone can read, and what ends the agent on stderr', async (t) => {
  const server = await TestServer.start(t);
  const home = await pairedHome(t, server);
  const file = join(home, 'agent.log');
  const args = ['run', '--once', ...SIMULATOR, '--log-file', file, '--home', home];
  t.deepEqual(await runAgent(args), { code: 0, stdout: '', stderr: '' });
  t.regex(await readFile(file, 'utf8'), /connected to https/);
  t.is((await stat(file)).mode & 0o777, 0o600);
  await server.down();
  t.regex((await runAgent(args)).stderr, /^Error: Not everything was delivered/);
});
