/** Nodes by the command line: what is kept and shown of their addresses, and what a check says of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { CheckedNode } from '../../src/actions/usdt/check-nodes.js';
import type { NodeView } from '../../src/actions/usdt/nodes.js';
import { startNodeProxy } from '../helpers/network/node-proxy.js';
import { startAnvil } from '../helpers/outside/anvil.js';
import { type Failed, openCli } from '../helpers/programs/cli.js';

interface Added {
  readonly nodes: readonly NodeView[];
}

test.serial('nodes are asked by priority, then in the order in which they were added', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('rates', 'set', '120');
  t.regex((await kashbox('nodes', 'list')).stdout, /There are no nodes here.*nodes add --public/);
  const added = (await kashbox('nodes', 'add', '--public', '--json')).json<Added>();
  t.true(added.nodes.length >= 3);
  t.like(added.nodes[0], { chain_id: 56, priority: 100, batches: true, calls: 0, failures: {} });
  const own = await kashbox(
    'nodes',
    'add',
    '--url',
    'https://own.example/v3/secret-key',
    '--no-batch',
    '--json',
  );
  const [first] = own.json<Added>().nodes;
  t.like(first, { origin: 'https://own.example', priority: 10, batches: false, last_ok_at: null });
  await kashbox('nodes', 'add', '--url', 'http://127.0.0.1:8545', '--chain', '97', '--priority', '0');
  const listed = (await kashbox('nodes', 'list', '--json')).json<NodeView[]>();
  t.deepEqual(
    listed.map(({ id }) => id),
    [first?.id, ...added.nodes.map(({ id }) => id), listed.at(-1)?.id],
  );
  t.is(listed.at(-1)?.origin, 'http://127.0.0.1:8545');
  t.is((await kashbox('nodes', 'list', '--chain', '97', '--ndjson')).ndjson<NodeView>().length, 1);
  const again = await kashbox('nodes', 'add', '--public');
  t.is(again.code, 0);
  t.is(again.stdout, 'They are all there already.\n');
});

test.serial('the address of a node is sealed, and nothing that is printed repeats it', async (t) => {
  const kashbox = await openCli(t);
  const secret = 'https://own.example:8443/v3/secret-key?token=secret-token';
  const ran = [
    await kashbox.piped(`${secret}\n`, 'nodes', 'add', '--url', '-'),
    await kashbox('nodes', 'add', '--url', secret),
    await kashbox('nodes', 'list'),
    await kashbox('nodes', 'list', '--json'),
    await kashbox('nodes', 'list', '--csv'),
    await kashbox('nodes', 'add', '--url', 'http://own.example/secret-key'),
    await kashbox('nodes', 'add', '--url', 'wss://own.example/secret-key'),
    await kashbox('nodes', 'add', '--url', 'https://own.example/secret-key and more'),
    await kashbox('nodes', 'remove', 'https://own.example:8443'),
  ];
  t.deepEqual(
    ran.map(({ code }) => code),
    [0, 4, 0, 0, 0, 2, 2, 2, 0],
  );
  t.true(ran[2]?.stdout.includes('https://own.example:8443'));
  for (const { stdout, stderr } of ran) t.notRegex(stdout + stderr, /secret-(key|token)/);
  for (const file of ['kashbox.db', 'kashbox.db-wal']) {
    const bytes = readIfThere(join(kashbox.home, file));
    t.false(bytes.includes('secret-key') || bytes.includes('secret-token'), file);
  }
  t.regex(ran[5]?.stderr ?? '', /must be https\nNext: Plain http is for a node on this machine/);
});

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

test.serial('rejects invalid arguments and says which are valid', async (t) => {
  const kashbox = await openCli(t);
  const failed = async (...args: string[]) => {
    const ran = await kashbox('nodes', ...args, '--json');
    return [ran.code, ran.json<Failed>().error.code];
  };
  t.deepEqual(await failed('add'), [2, 'invalid_input']);
  t.deepEqual(await failed('add', '--public', '--url', 'https://a.example'), [2, 'invalid_input']);
  t.deepEqual(await failed('add', '--public', '--chain', '1'), [2, 'invalid_input']);
  t.deepEqual(await failed('add', '--public', '--priority', '1001'), [2, 'invalid_input']);
  t.deepEqual(await failed('add', '--url', 'node.example'), [2, 'invalid_input']);
  t.deepEqual(await failed('remove', 'https://nobody.example'), [3, 'not_found']);
  for (const path of ['a', 'b']) await kashbox('nodes', 'add', '--url', `https://two.example/${path}`);
  t.deepEqual(await failed('remove', 'https://two.example'), [2, 'invalid_input']);
  const [one] = (await kashbox('nodes', 'list', '--json')).json<NodeView[]>();
  t.is((await kashbox('nodes', 'remove', one?.id ?? '')).code, 0);
  t.is((await kashbox('nodes', 'list', '--json')).json<NodeView[]>().length, 1);
});

test.serial('a list of nodes can be piped into their removal', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('nodes', 'add', '--public', '--chain', '97');
  const list = await kashbox('nodes', 'list', '--ndjson');
  const removed = await kashbox.piped(list.stdout, 'nodes', 'remove', '-');
  t.is(removed.code, 0);
  t.deepEqual((await kashbox('nodes', 'list', '--json')).json(), []);
});

test.serial(
  'two nodes of one provider are distinguished, and one is removed, by what the table shows',
  async (t) => {
    const kashbox = await openCli(t);
    for (const place of ['127.0.0.2:9/a', '127.0.0.2:9/b', '127.0.0.3:9/a']) {
      await kashbox('nodes', 'add', '--url', `http://${place}`);
    }
    const rows = (await kashbox('nodes', 'list', '--json')).json<NodeView[]>();
    const [first, second, third] = rows.map(({ id }) => id);
    for (const command of ['list', 'check']) {
      const { stdout } = await kashbox('nodes', command);
      const named = [...stdout.matchAll(/(?:#\d )?http:\/\/127\S+/g)].map(([name]) => name);
      t.deepEqual(named, ['#1 http://127.0.0.2:9', '#2 http://127.0.0.2:9', 'http://127.0.0.3:9']);
      t.true(stdout.includes(`\n  #1  ${first}\n  #2  ${second}\n`), stdout);
      t.false(stdout.includes(third ?? '?'));
      t.true(
        stdout.split('\n').every((line) => line.length <= 80),
        stdout,
      );
    }
    t.is((await kashbox('nodes', 'remove', 'http://127.0.0.2:9')).code, 2);
    t.is((await kashbox('nodes', 'remove', second ?? '')).code, 0);
    t.notRegex((await kashbox('nodes', 'list')).stdout, /#1|begin alike/);
  },
);

test.serial(
  'a check and the doctor fail where an account is paid on a chain with too few nodes',
  async (t) => {
    const kashbox = await openCli(t, { KASHBOX_AGREEING_NODES: '2' });
    await kashbox('merchants', 'create', '--name', 'Alo');
    t.is((await kashbox('nodes', 'check')).code, 0, 'nobody is paid anywhere');
    const address = '0x7Ab1E5c0DE5A1E5b07705e1F5A1E0ddbA11CA5e5';
    const set = await kashbox('accounts', 'set', '--brand', 'Alo', '--channel', 'bep20', '--number', address);
    t.is(set.code, 0);
    const none = await kashbox('nodes', 'check');
    t.is(none.code, 4);
    t.regex(
      none.stderr,
      /^chain 56: 0 usable, 2 needed, .*\n {2}Add what is missing: kashbox nodes add --chain 56/m,
    );
    const chain = await startAnvil(t);
    await chain.mine(3);
    await kashbox('nodes', 'add', '--url', chain.url);
    t.is((await kashbox('nodes', 'check')).code, 4, 'one of two');
    t.is((await kashbox('nodes', 'check', '--chain', '97')).code, 0);
    const doctor = await kashbox('doctor');
    t.is(doctor.code, 4);
    t.regex(doctor.stdout, /^FAIL {2}nodes of chain 56: 1 usable, 2 needed, /m);
    await kashbox('nodes', 'add', '--url', (await startNodeProxy(t, chain)).node.url);
    t.is((await kashbox('nodes', 'check')).code, 0);
    t.is((await kashbox('doctor')).code, 0);
  },
);

test.serial('a check queries each node now and shows which are healthy', async (t) => {
  const kashbox = await openCli(t);
  const chain = await startAnvil(t);
  await chain.mine(5);
  const ill = await startNodeProxy(t, chain);
  const single = await startNodeProxy(t, chain);
  ill.be('html');
  single.be('no_batches');
  for (const url of [chain.url, ill.node.url, single.node.url]) await kashbox('nodes', 'add', '--url', url);
  const checked = await kashbox('nodes', 'check', '--json');
  t.is(checked.code, 0, 'the chain has a node that is well');
  const [well, html, noBatches] = checked.json<CheckedNode[]>();
  t.like(well, { state: 'well', detail: '', block: 5, finalized_lag: 2, takes_batches: true });
  t.like(html, { state: 'not_json', block: null, took_ms: null, takes_batches: null });
  t.like(noBatches, { state: 'well', takes_batches: false });
  const told = await kashbox('nodes', 'check');
  t.regex(told.stdout, /^CHAIN {2}NODE .*STATE .*BLOCK .*AGE .*FINAL .*TOOK\n/);
  t.regex(told.stderr, /something that is not JSON\n/);
  t.regex(told.stderr, /takes one question a request; remove it and add it with --no-batch\n/);
  const counted = (await kashbox('nodes', 'list', '--json')).json<{ state: string; calls: number }[]>();
  for (const node of counted) t.like(node, { state: 'never_asked', calls: 0 }, 'a check counts nothing');
});

test.serial('brands with a rate of their own keep it when the common one is removed', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  await kashbox('rates', 'set', '120');
  await kashbox('rates', 'set', '121', '--brand', 'Alo');
  const kept = 'The common rate is gone.\nBrands with a rate of their own keep it.\n';
  t.is((await kashbox('rates', 'remove')).stdout, kept);
  const none = 'The rate of Alo is gone.\nThere is no rate any more, so USDT is not offered.\n';
  t.is((await kashbox('rates', 'remove', '--brand', 'Alo')).stdout, none);
});

test.serial('a check fails where a chain has no node that is well', async (t) => {
  const kashbox = await openCli(t);
  const chain = await startAnvil(t);
  await kashbox('nodes', 'add', '--url', chain.url, '--chain', '97');
  const checked = await kashbox('nodes', 'check', '--json');
  t.is(checked.code, 4);
  const [only] = checked.json<CheckedNode[]>();
  t.like(only, { chain_id: 97, state: 'wrong_chain', detail: 'is on chain 56, not 97' });
});
