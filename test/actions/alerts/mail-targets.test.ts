/** Mail targets as operators type them: what is taken and refused, and that no error repeats a secret. */
import test from 'ava';
import { readTarget, type TypedMail } from '../../../src/actions/alerts/target-input.js';

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

const BAD: readonly (readonly [smtp: string, message: RegExp, change?: Partial<TypedMail>])[] = [
  ['mail.example.com', /smtp is no address/],
  ['https://mail.example.com', /smtp is no address/],
  ['smtp://', /smtp is no address/],
  ['smtp://mail.example.com/path', /smtp is no address/],
  ['smtp://mail.example.com?x=1', /smtp is no address/],
  ['smtp://mail.exa mple.com', /smtp is no address/],
  ['smtp://me:hunter2@mail.example.com', /smtp holds a password/],
  ['smtp://me%ZZ@mail.example.com', /% that is none/],
  ['smtps://u%0d%0aX@mail.example.com', /control character/],
  ['smtps://u%00@mail.example.com', /control character/],
  ['smtps://u@mail%0d%0a.example.com', /smtp is no address/],
  ['smtps://u@mail.example.com', /password of the mail server is missing/, { password: 'a\tb' }],
  ['smtp://me@10.0.0.1', /must be public/],
  ['smtp://me@169.254.169.254', /must be public/],
  ['smtp://me@mail.internal', /must be public/],
  ['smtp://me@0xa.0.0.1', /must be public/],
  ['smtp://me@mail.example.com:22', /must not use port 22/],
  ['smtp://me@mail.example.com:443', /must not use port 443/],
  ['smtp://me@mail.example.com:0', /must not use port 0/],
  ['smtp://mail.example.com', /a password and no user name/],
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
    /email is no e-mail/,
    { to },
  ]),
  ['smtp://me@mail.example.com', /mail-from is no e-mail/, { from: 'shop' }],
];

for (const [smtp, message, change] of BAD) {
  test(`${smtp} ${JSON.stringify(change ?? {})} is refused`, (t) => {
    const error = t.throws(() => read(smtp, change), { message, code: 'invalid_input' });
    t.false(JSON.stringify(error).includes(PASSWORD));
  });
}
