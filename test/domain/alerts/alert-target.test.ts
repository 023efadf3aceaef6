/** Where alerts are told: what may be shown of it, and when a failed telling is tried again. */
import test from 'ava';
import { afterDelivery, targetAddress, targetHint } from '../../../src/domain/alerts/alert-target.js';
import { keptUntil } from '../../../src/domain/alerts/quiet-hours.js';

const mail = {
  kind: 'email',
  to: 'Owner@example.com',
  from: 'kashbox@example.com',
  host: 'smtp.example.com',
  port: 465,
  isSecure: true,
  isLocal: false,
  user: 'owner',
  password: 'secret',
  allowPrivate: false,
} as const;

test('the displayed form of a target contains no path, argument or token', (t) => {
  const url = 'https://hooks.example.com:8443/services/T0/secret?key=secret';
  const webhook = { kind: 'webhook', url, secret: 'whsec_secret', allowPrivate: false } as const;
  t.is(targetHint(webhook), 'https://hooks.example.com:8443/…');
  t.is(targetHint({ kind: 'command', command: 'curl\t-H\n secret' }), 'curl …');
  t.is(targetHint({ kind: 'command', command: '' }), '');
  t.is(targetHint({ kind: 'command', command: '/usr/local/bin/tell' }), '/usr/local/bin/tell');
  const bot = { api: 'https://api.telegram.org', token: '123:secret', chat: '-1007', allowPrivate: false };
  t.is(targetHint({ kind: 'telegram', ...bot }), 'chat -1007 by bot 123');
  t.is(targetHint(mail), 'Owner@example.com by smtp.example.com');
});

test('a target is the same place again by its kind and address, whatever its secrets are', (t) => {
  const webhook = { kind: 'webhook', url: 'https://hooks.example.com/a', allowPrivate: false } as const;
  t.is(targetAddress({ ...webhook, secret: 'whsec_1' }), 'webhook https://hooks.example.com/a');
  t.is(targetAddress({ kind: 'command', command: 'tell me' }), 'command tell me');
  const bot = {
    kind: 'telegram',
    api: 'https://api.telegram.org',
    chat: '-1007',
    allowPrivate: true,
  } as const;
  t.is(targetAddress({ ...bot, token: '123:secret' }), 'telegram https://api.telegram.org -1007');
  t.is(targetAddress(mail), 'email owner@example.com');
});

const FAILED = { isDelivered: false, isBusy: false, retryAfterS: null };

test('a failed delivery is retried after 5 s, 30 s, 2, 10 and 30 minutes, then abandoned', (t) => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => {
    const after = afterDelivery(FAILED, tries);
    return after.state === 'PENDING' ? after.waitMs / 1_000 : after.state;
  });
  t.deepEqual(waits, [5, 30, 120, 600, 1_800, 'FAILED', 'FAILED']);
  t.deepEqual(afterDelivery({ ...FAILED, isDelivered: true }, 6), { state: 'DELIVERED' });
});

test('a target that asks for a longer pause gets it, up to half an hour', (t) => {
  const asked = (tries: number, retryAfterS: number) => afterDelivery({ ...FAILED, retryAfterS }, tries);
  t.deepEqual(asked(1, 60), { state: 'PENDING', waitMs: 60_000 });
  t.deepEqual(asked(3, 60), { state: 'PENDING', waitMs: 120_000 });
  t.deepEqual(asked(1, 86_400), { state: 'PENDING', waitMs: 1_800_000 });
  t.deepEqual(asked(6, 60), { state: 'FAILED' });
});

test('a target that takes no more for now is left alone as it says, and no message loses a try by that', (t) => {
  const busy = (retryAfterS: number | null) => afterDelivery({ ...FAILED, isBusy: true, retryAfterS }, 6);
  t.deepEqual(busy(3), { state: 'PAUSED', waitMs: 3_000 });
  t.deepEqual(busy(null), { state: 'PAUSED', waitMs: 30_000 });
  t.deepEqual(busy(0), { state: 'PAUSED', waitMs: 1_000 });
  t.deepEqual(busy(86_400), { state: 'PAUSED', waitMs: 1_800_000 });
});

test('ten of a kind are sent one by one, the rest as one after ten minutes, urgent ones after one', (t) => {
  const now = 25 * 60_000 + 1;
  t.is(keptUntil(9, false, now), null);
  t.is(keptUntil(10, false, now), 30 * 60_000);
  t.is(keptUntil(10, true, now), 26 * 60_000);
  t.is(keptUntil(10, false, 30 * 60_000), 40 * 60_000);
});
