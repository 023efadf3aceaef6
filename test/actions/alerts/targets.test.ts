/** Alert targets as an operator types them: added, checked, changed and removed. */
import test, { type ExecutionContext } from 'ava';
import {
  addAlertTarget,
  listAlertTargets,
  updateAlertTarget,
} from '../../../src/actions/alerts/alert-targets.js';
import { listAlerts } from '../../../src/actions/alerts/list-alerts.js';
import { raiseAlert } from '../../../src/actions/alerts/raise-alert.js';
import { readTarget, type TargetChoices, type TypedMail } from '../../../src/actions/alerts/target-input.js';
import { listAudit } from '../../../src/actions/audit/list-audit.js';
import type { Core } from '../../../src/actions/core/core.js';
import { checkAlerts } from '../../../src/actions/doctor/check-jobs.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { inEnglish } from '../../helpers/in-english.js';
import { enginesOfTier, openTestCore, testClock } from '../../helpers/stores/engines.js';

const who = 'test';
const TOKEN = '123456:AAH-not_a_real_token_of_anybody_0';

async function open(t: ExecutionContext<unknown>, engine: Engine = 'sqlite') {
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock });
  let added = 0;
  const add = async (choices: TargetChoices = {}) => {
    clock.advance(1);
    added += 1;
    return (
      await addAlertTarget(core, { target: { kind: 'command', command: `true ${added}` }, choices, who })
    ).target;
  };
  const telegram = (chat: string, choices: TargetChoices) =>
    addAlertTarget(core, {
      target: { kind: 'telegram', chat, token: TOKEN, api: undefined, allowPrivate: false },
      ...{ choices, who },
    });
  return { core, clock, add, telegram };
}

const fail = (core: Core, incident: string) =>
  core.store.write((db) =>
    raiseAlert(core, db, {
      ...{ kind: 'backup.failed', detail: { reason: 'the disk is full' }, merchantId: null, incident },
    }),
  );

for (const engine of enginesOfTier) {
  test(`${engine}: a target receives only the alerts that it has chosen`, async (t) => {
    const { core, add } = await open(t, engine);
    const usual = await add();
    const system = await add({ events: 'system' });
    await add({ events: 'money,device.offline' });
    t.deepEqual([usual.events, system.events], [['default'], ['system']]);
    await fail(core, 'a');
    const [alert] = await listAlerts(core, { open: false, limit: 1 });
    t.deepEqual(
      alert?.told.map(({ target }) => target),
      [usual.id, system.id],
    );
  });

  test(`${engine}: a target is changed field by field, and the change is audited`, async (t) => {
    const { core, add } = await open(t, engine);
    const { id } = await add({ quiet: '23:00-07:00', daily: '২১:০০' });
    const change = (choices: TargetChoices) => updateAlertTarget(core, { target: id, choices, who });
    t.like(await change({ events: 'all' }), { events: ['all'], quiet: '23:00-07:00', daily: '21:00' });
    t.like(await change({ quiet: '22:30-06:00', quietAll: true }), { quiet: '22:30-06:00', quiet_all: true });
    t.like(await change({ quiet: null, daily: null }), { quiet: null, quiet_all: false, daily: null });
    const audited = await listAudit(core, { limit: 10 });
    t.is(audited.filter(({ action }) => action === 'alerts.update').length, 3);
  });

  test(`${engine}: a target from before the migration receives the same alerts`, async (t) => {
    const { core, add } = await open(t, engine);
    const { id } = await add();
    // As the migration leaves those that there are.
    await core.store.write((db) =>
      db.execute(
        "UPDATE alert_targets SET events = 'devices security.transaction_id_guessing payment.disputed payment.other_merchant slips.full'",
        [],
      ),
    );
    await fail(core, 'a');
    t.deepEqual((await listAlerts(core, { open: false, limit: 1 }))[0]?.told, []);
    const [check] = await inEnglish(checkAlerts(core));
    t.like(check, { state: 'warn', message: 'no target receives payments that need manual review' });
    t.true(check?.remedy?.includes(`kashbox alert-targets update ${id} --events default`));
  });
}

const BAD: readonly (readonly [TargetChoices, RegExp])[] = [
  [{ events: '' }, /events is empty/],
  [{ events: 'money,everything' }, /no event "everything"/],
  [{ quiet: '23:00' }, /quiet "23:00" is not a time range/],
  [{ quiet: '07:00-07:00' }, /no span/],
  [{ daily: '25:00' }, /daily "25:00" is no time/],
  [{ quietAll: true }, /quiet-all needs quiet hours/],
  [{ buttons: true }, /Only Telegram shows buttons/],
  [{ approvers: '7' }, /approvers need buttons/],
  [{ approvers: '@rahim' }, /approvers must be 1 to 50 ids/],
  [{ approvers: '' }, /approvers must be/],
];

for (const [choices, message] of BAD) {
  test(`${JSON.stringify(choices)} is refused when it is added and when it is changed`, async (t) => {
    const { core, add } = await open(t);
    await t.throwsAsync(add(choices), { message, code: 'invalid_input' });
    const { id } = await add();
    await t.throwsAsync(updateAlertTarget(core, { target: id, choices, who }), { message });
    t.like((await listAlertTargets(core))[0], { events: ['default'], quiet: null, daily: null });
  });
}

test('buttons belong to a chat with a number, and approvers are numbers in either digits', async (t) => {
  const { core, telegram } = await open(t);
  await t.throwsAsync(telegram('@alo_store', { buttons: true }), { message: /@name shows no buttons/ });
  const { target } = await telegram('-1007', { buttons: true, approvers: '৭, 8,7' });
  t.like(target, { buttons: true, approvers: ['7', '8'] });
  const all = await updateAlertTarget(core, { target: target.id, choices: { approvers: null }, who });
  t.like(all, { buttons: true, approvers: [] });
});

test('nothing to change, and a target that is not there, are refused', async (t) => {
  const { core, add } = await open(t);
  const { id } = await add();
  await t.throwsAsync(updateAlertTarget(core, { target: id, choices: {}, who }), { code: 'invalid_input' });
  const lost = { target: 'tgt_1', choices: { daily: '21:00' }, who };
  await t.throwsAsync(updateAlertTarget(core, lost), { code: 'not_found' });
});

const PASSWORD = 'hunter2';
const read = (smtp: string, change: Partial<TypedMail> = {}) =>
  readTarget(
    {
      ...{ kind: 'email', to: 'owner@example.com', smtp, password: PASSWORD, from: undefined },
      ...{ allowPrivate: false, ...change },
    },
    () => '',
  );

test('a server is taken with its user, its port and its encryption', (t) => {
  const base = {
    kind: 'email',
    to: 'owner@example.com',
    password: PASSWORD,
    isLocal: false,
    allowPrivate: false,
  };
  t.like(read('smtps://me@example.com@mail.example.com:465'), {
    ...{ ...base, host: 'mail.example.com', port: 465, isSecure: true },
    ...{ user: 'me@example.com', from: 'me@example.com' },
  });
  t.like(read('smtp://me@mail.example.com'), {
    ...base,
    port: 587,
    isSecure: false,
    from: 'owner@example.com',
  });
  t.like(read('SMTPS://me%40example.com@Mail.Example.Com/'), { host: 'mail.example.com', port: 465 });
  t.like(read('smtp://a@mail.example.com', { from: 'shop@example.com' }), { from: 'shop@example.com' });
  t.like(read('smtp://127.0.0.1:25', { password: undefined }), { isLocal: true, user: null, password: null });
  t.like(read('smtp://[::1]:1025', { password: undefined }), { host: '::1', isLocal: true });
  t.like(read('smtp://u@192.168.1.5:10025', { allowPrivate: true }), { port: 10_025, isLocal: false });
  t.like(read('smtps://u@mail.example.com', { password: ` ${PASSWORD}\n` }), { password: PASSWORD });
});

const BAD_SERVERS: readonly (readonly [smtp: string, message: RegExp, change?: Partial<TypedMail>])[] = [
  ['mail.example.com', /smtp is not the address/],
  ['https://mail.example.com', /smtp is not the address/],
  ['smtp://', /smtp is not the address/],
  ['smtp://mail.example.com/path', /smtp is not the address/],
  ['smtp://mail.example.com?x=1', /smtp is not the address/],
  ['smtp://mail.exa mple.com', /smtp is not the address/],
  ['smtp://me:hunter2@mail.example.com', /smtp contains a password/],
  ['smtp://me%ZZ@mail.example.com', /an invalid %/],
  ['smtps://u%0d%0aX@mail.example.com', /control character/],
  ['smtps://u%00@mail.example.com', /control character/],
  ['smtps://u@mail%0d%0a.example.com', /smtp is not the address/],
  ['smtps://u@mail.example.com', /password of the mail server is missing/, { password: 'a\tb' }],
  ['smtp://me@10.0.0.1', /must be public/],
  ['smtp://me@169.254.169.254', /must be public/],
  ['smtp://me@mail.internal', /must be public/],
  ['smtp://me@0xa.0.0.1', /must be public/],
  ['smtp://me@mail.example.com:22', /must not use port 22/],
  ['smtp://me@mail.example.com:443', /must not use port 443/],
  ['smtp://me@mail.example.com:0', /must not use port 0/],
  ['smtp://mail.example.com', /a password but no user name/],
  ['smtp://me@mail.example.com', /password of the mail server is missing/, { password: undefined }],
  ['smtp://me@mail.example.com', /password of the mail server is missing/, { password: ' \n' }],
  ['smtp://me@mail.example.com', /password of the mail server is missing/, { password: 'a\nb' }],
  ...[
    '',
    'owner',
    'a@b@c',
    'a@b.c,d@e.f',
    'a@b.c\nBcc: d@e.f',
    'Me <a@b.c>',
    'a@b.c\u200b',
    `${'a'.repeat(260)}@b.c`,
  ].map((to): readonly [string, RegExp, Partial<TypedMail>] => [
    'smtp://me@mail.example.com',
    /email is not an e-mail/,
    { to },
  ]),
  ['smtp://me@mail.example.com', /mail-from is not an e-mail/, { from: 'shop' }],
];

for (const [smtp, message, change] of BAD_SERVERS) {
  test(`${smtp} ${JSON.stringify(change ?? {})} is refused`, (t) => {
    const error = t.throws(() => read(smtp, change), { message, code: 'invalid_input' });
    t.false(JSON.stringify(error).includes(PASSWORD));
  });
}
