/** Where alerts are told: what may be shown of it, and when a failed telling is tried again. */
import test from 'ava';
import { afterDelivery, targetAddress, targetHint } from '../../../src/domain/alerts/alert-target.js';

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

test('what is shown of a target holds no path, no argument and no token', (t) => {
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

test('a telling that fails is tried again after 5 s, 30 s, 2, 10 and 30 minutes, then given up', (t) => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => {
    const after = afterDelivery(false, tries, null);
    return after.state === 'DUE' ? after.waitMs / 1_000 : after.state;
  });
  t.deepEqual(waits, [5, 30, 120, 600, 1_800, 'DEAD', 'DEAD']);
  t.deepEqual(afterDelivery(true, 6, null), { state: 'DELIVERED' });
});

test('whoever asks to be left alone for longer is, up to half an hour', (t) => {
  t.deepEqual(afterDelivery(false, 1, 60), { state: 'DUE', waitMs: 60_000 });
  t.deepEqual(afterDelivery(false, 3, 60), { state: 'DUE', waitMs: 120_000 });
  t.deepEqual(afterDelivery(false, 1, 86_400), { state: 'DUE', waitMs: 1_800_000 });
  t.deepEqual(afterDelivery(false, 6, 60), { state: 'DEAD' });
});
