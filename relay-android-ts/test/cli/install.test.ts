/** What `install` puts on a phone, and where it refuses. All of it together is tested with a daemon. */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import test from 'ava';
import { checkNode } from '../../src/cli/doctor/check.js';
import { checkSims, checkStart } from '../../src/cli/doctor/doctor-phone.js';
import {
  findSimSubs,
  installPaths,
  type PhonePlan,
  planScripts,
} from '../../src/cli/install/termux-install.js';
import { runAgent, tempFolder } from '../helpers/agent.js';
import { FakePhone } from '../helpers/fake-phone.js';

const PREFIX = '/data/data/com.termux/files/usr';
const HOME = '/data/data/com.termux/files/home';

const planned = (change: Partial<PhonePlan> = {}): PhonePlan => ({
  paths: installPaths({ PREFIX, HOME }),
  node: `${PREFIX}/bin/node`,
  home: `${HOME}/.kashbox-relay`,
  simSubs: null,
  hasServices: true,
  ...change,
});

const textOf = (plan: PhonePlan, path: string) =>
  planScripts(plan).find((file) => file.path === path)?.text ?? '';

test('outside Termux install, uninstall and doctor say what they are for, with exit code 4', async (t) => {
  for (const command of ['install', 'uninstall', 'doctor']) {
    const { code, stderr } = await runAgent([command]);
    t.is(code, 4, command);
    t.regex(stderr, /not Termux on an Android phone/);
    t.regex((await runAgent([command, '--help'])).stdout, /Examples?:\n/);
  }
  const json = await runAgent(['doctor', '--json']);
  t.is(JSON.parse(json.stdout).error.code, 'not_termux');
  t.throws(() => installPaths({ PREFIX: '/usr', HOME }), { code: 'not_termux' });
});

test('with termux-services the phone starts the services, and runit keeps the agent running', (t) => {
  const plan = planned();
  const service = `${PREFIX}/var/service/kashbox-relay`;
  t.deepEqual(
    planScripts(plan).map(({ path }) => path),
    [
      `${PREFIX}/bin/kashbox-relay`,
      `${service}/log/run`,
      `${service}/finish`,
      `${service}/run`,
      `${HOME}/.termux/boot/kashbox-relay`,
    ],
    'the service’s own run comes after its neighbours, because runsvdir starts it as soon as it is there',
  );
  t.regex(textOf(plan, `${service}/run`), /exec '.*\/bin\/kashbox-relay' run --platform termux\n$/);
  t.regex(textOf(plan, `${service}/log/run`), /exec '.*\/share\/termux-services\/svlogger'\n$/);
  const boot = textOf(plan, plan.paths.boot);
  t.regex(boot, /^#!\/data\/data\/com\.termux\/files\/usr\/bin\/sh\n/);
  t.regex(boot, /^termux-wake-lock\n\. '.*\/etc\/profile\.d\/start-services\.sh'\n$/m);
});

test('without termux-services the script of the boot itself starts the agent again', (t) => {
  const plan = planned({ hasServices: false });
  t.is(planScripts(plan).length, 2);
  t.regex(
    textOf(plan, plan.paths.boot),
    /^termux-wake-lock\n\(umask 077; while ! '.*' run .* --log-file '(.*\/agent\.log)' >>'\1' 2>&1; do sleep 15; done\) &\n$/m,
  );
});

test('a shell understands every script, also where a folder has an odd name', (t) => {
  const paths = installPaths({ PREFIX: "/tmp/it's com.termux/usr", HOME: '/tmp/$(home) x' });
  for (const hasServices of [true, false]) {
    for (const { text } of planScripts(planned({ paths, home: paths.boot, hasServices }))) {
      t.notThrows(() => execFileSync('sh', ['-n'], { input: text }), text);
    }
  }
});

test('which SIM has which subscription is kept when nobody says it again', (t) => {
  const plan = planned({ simSubs: '1=3,2=4' });
  t.is(findSimSubs(textOf(plan, plan.paths.launcher)), '1=3,2=4');
  t.is(findSimSubs(textOf(planned(), plan.paths.launcher)), null);
});

test('the doctor knows an old Node, and scripts that are not those of this version', async (t) => {
  t.is(checkNode('18.19.0').state, 'fail');
  t.is(checkNode('20.19.0').state, 'ok');
  const states = (await checkStart(planned())).map(({ name, state }) => `${name} ${state}`);
  t.deepEqual(states, ['start with the phone fail', 'service fail']);
});

test('the doctor says where the log is', async (t) => {
  const root = await tempFolder(t);
  const env = { PREFIX: `${root}/com.termux`, HOME: root };
  const paths = installPaths(env);
  for (const [hasServices, place] of [
    [true, `${root}/com.termux/var/log/sv/kashbox-relay`],
    [false, `${HOME}/.kashbox-relay/agent.log`],
  ] as const) {
    const plan = planned({ paths, hasServices });
    for (const { path, text } of planScripts(plan)) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    const service = (await checkStart(plan)).find(({ name }) => name === 'service');
    t.true(service?.message.endsWith(`its log: ${place}`), service?.message);
  }
});

test('a dual-SIM phone gets a hint how to distinguish the SIMs, unless they are configured', async (t) => {
  const phone = await FakePhone.open(t);
  const check = async (simSubs: string | null, print?: string) => {
    await phone.plan(print === undefined ? {} : { print: { 'termux-telephony-deviceinfo': print } });
    return checkSims(phone.calls(), simSubs);
  };
  const two = await check(null, '{"phone_count":2}');
  t.is(two.state, 'warn');
  t.regex(two.message, /takes 2, and nobody has said which is which/);
  t.regex(two.remedy ?? '', /kashbox-relay install --sim-subs 1=…,2=….*termux-sms-list .*"sub_id = 1"$/);
  t.is((await check(null)).state, 'warn', 'and so is a phone that does not tell');
  t.is((await check(null, '{"phone_count":1}')).state, 'ok');
  t.is((await check('1=3,2=4', '{"phone_count":2}')).state, 'ok');
});
