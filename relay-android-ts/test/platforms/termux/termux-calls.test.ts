/** Calls of Termux:API: one at a time, never for ever, and every failure told in words. */
import test from 'ava';
import { readTermuxHealth } from '../../../src/platforms/termux/termux.js';
import { explain, TermuxCalls, type TermuxFailure } from '../../../src/platforms/termux/termux-calls.js';
import { until } from '../../helpers/agent.js';
import { FakePhone } from '../../helpers/fake-phone.js';

test('calls run one after the other, what is urgent before what is not', async (t) => {
  const phone = await FakePhone.open(t, { latencyMs: 100 });
  const calls = phone.calls();
  const names = ['termux-wake-lock', 'termux-notification', 'getprop'];
  await Promise.all([
    ...names.map((program) => calls.run({ program, args: [] })),
    calls.run({ program: 'termux-sms-list', args: [], urgent: true }),
  ]);
  const log = await phone.called();
  t.deepEqual(
    log.filter(({ at }) => at !== undefined).map(({ program }) => program),
    ['termux-wake-lock', 'termux-sms-list', 'termux-notification', 'getprop'],
  );
  const [starts, ends] = [log.filter((_, at) => at % 2 === 0), log.filter((_, at) => at % 2 === 1)];
  t.deepEqual(
    starts.map(({ pid }) => pid),
    ends.map(({ pid }) => pid),
    'each has ended before the next began',
  );
});

test('a program that hangs is killed with all that it has started, and the next call works', async (t) => {
  const phone = await FakePhone.open(t, { hang: ['termux-sms-list'] });
  const calls = phone.calls(3_000);
  t.deepEqual(await calls.run({ program: 'termux-sms-list', args: [] }), { kind: 'hung' });
  const [hung] = await phone.called('termux-sms-list');
  await until('it is gone', () => {
    try {
      process.kill(hung?.pid ?? 0, 0);
      return hung === undefined;
    } catch {
      return true;
    }
  });
  t.is((await phone.calls().run({ program: 'getprop', args: [] })).kind, 'answered');
});

test('arguments and text arrive as they are, whatever is in them', async (t) => {
  const phone = await FakePhone.open(t);
  const args = ['-n', '$(id) `id` ; id', '"quoted" \'too\'', ''];
  const input = 'টাকা $HOME \\n "x"\n';
  await phone.calls().run({ program: 'termux-sms-send', args, input });
  const [call] = await phone.called('termux-sms-send');
  t.deepEqual([call?.args, call?.input], [args, input]);
});

test('every failure is reported with a remedy', async (t) => {
  const phone = await FakePhone.open(t, { refuse: { getprop: 'Please grant the following' } });
  const calls = phone.calls();
  const told: [string, RegExp][] = [
    ['getprop', /refuses getprop: Please grant the following/],
    ['no-such-program', /no-such-program is not there: run "pkg install termux-api"/],
    ['false', /false failed: exit code 1/],
  ];
  for (const [program, words] of told) {
    const result = await calls.run({ program, args: [] });
    t.not(result.kind, 'answered');
    t.regex(explain(program, result as TermuxFailure), words);
  }
  t.regex(explain('x', { kind: 'hung' }), /battery optimisation/);
});

test('a list that breaks off is not quoted, since SMS are in it', async (t) => {
  const calls = new TermuxCalls('/usr/bin:/bin');
  const broken = { program: 'sh', args: ['-c', `echo '[{"body": "secret text"}'; exit 1`] };
  t.deepEqual(await calls.run(broken), { kind: 'failed', reason: 'exit code 1' });
  const words = { program: 'sh', args: ['-c', 'echo no such option; exit 1'] };
  t.deepEqual(await calls.run(words), { kind: 'failed', reason: 'exit code 1: no such option' });
});

test('a call that is broken off ends at once, and one that waits does not begin', async (t) => {
  const phone = await FakePhone.open(t, { hang: ['termux-sms-list'] });
  const calls = phone.calls();
  const stop = new AbortController();
  const call = { program: 'termux-sms-list', args: [], stop: stop.signal };
  const both = Promise.all([calls.run(call), calls.run(call)]);
  await until('the first runs', async () => (await phone.called()).length === 1);
  stop.abort();
  const stopped = { kind: 'failed', reason: 'stopped' } as const;
  t.deepEqual(await both, [stopped, stopped]);
  t.is((await phone.called()).length, 1);
});

const BATTERY = { present: true, plugged: 'PLUGGED_AC', status: 'CHARGING', percentage: 81 };

test('health is battery, charging and network', async (t) => {
  const cases: [Record<string, object>, unknown[]][] = [
    [{ 'termux-battery-status': BATTERY }, [81, true, null]],
    [
      {
        'termux-battery-status': { percentage: 12.6, plugged: 'UNPLUGGED' },
        'termux-wifi-connectioninfo': { supplicant_state: 'COMPLETED' },
      },
      [13, false, 'wifi'],
    ],
    [{ 'termux-telephony-deviceinfo': { data_state: 'connected' } }, [null, null, 'mobile']],
    [
      {
        'termux-wifi-connectioninfo': { supplicant_state: 'DISCONNECTED' },
        'termux-telephony-deviceinfo': { data_state: 'disconnected' },
      },
      [null, null, 'none'],
    ],
  ];
  const phone = await FakePhone.open(t);
  for (const [facts, expected] of cases) {
    const print = Object.entries(facts).map(([name, value]) => [name, JSON.stringify(value)]);
    await phone.plan({ print: Object.fromEntries(print) });
    const { battery, charging, network } = await readTermuxHealth(phone.calls());
    t.deepEqual([battery, charging, network], expected);
  }
});

test('health that cannot be read is unknown and no fault', async (t) => {
  const phone = await FakePhone.open(t, {
    refuse: { 'termux-battery-status': 'no', 'termux-telephony-deviceinfo': 'no' },
    print: { 'termux-wifi-connectioninfo': 'nonsense' },
  });
  t.deepEqual(await readTermuxHealth(phone.calls()), {
    battery: null,
    charging: null,
    network: null,
    sims: [],
  });
});
