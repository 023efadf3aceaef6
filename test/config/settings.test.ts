/** What an operator may set, in which order it counts, and that a wrong value is told but not repeated. */
import test from 'ava';
import { isKashboxError } from '../../src/base/errors/errors.js';
import { parseSettings } from '../../src/config/settings.js';

test('a flag overrides the environment, that kashbox.json, and that the default', (t) => {
  const stored = { host: '192.0.2.3', port: '3', httpPort: '3' };
  const env = { KASHBOX_HOST: '192.0.2.2', KASHBOX_PORT: '2' };
  const settings = parseSettings({ host: '192.0.2.1' }, env, stored);
  t.like(settings, { host: '192.0.2.1', port: 2, httpPort: 3, requestsPerMinute: 600 });
  t.true(Object.isFrozen(settings));
});

test('reports all invalid settings at once, by variable', (t) => {
  const env = { KASHBOX_PORT: '70000', KASHBOX_BASE_PATH: 'pay me', KASHBOX_LOG_LEVEL: 'loud' };
  const error = t.throws(() => parseSettings({}, env, { colour: 'red' } as object));
  t.true(isKashboxError(error, 'config_invalid'));
  for (const word of [...Object.keys(env), '"colour"']) t.true(error?.message.includes(word), word);
});

test('a fault names the source of the wrong value: a flag, a variable or kashbox.json', (t) => {
  const faultOf = (...sources: Parameters<typeof parseSettings>) =>
    t.throws(() => parseSettings(...sources))?.message ?? '';
  const wrong = { httpPort: 'many' };
  t.regex(faultOf({}, {}, wrong), /^"httpPort" in kashbox\.json must be a whole number/);
  t.regex(faultOf({}, { KASHBOX_HTTP_PORT: 'many' }, wrong), /^KASHBOX_HTTP_PORT must be a whole number/);
  t.regex(faultOf(wrong, { KASHBOX_HTTP_PORT: 'many' }, wrong), /^--http-port must be a whole number/);
});

test('an address of PostgreSQL is refused by its form, and its password is in no message', (t) => {
  const right = [
    'postgres://kashbox:sekret@db.example.com:5432/kashbox',
    'postgresql://127.0.0.1/kashbox?sslmode=require',
    'postgres://kashbox@/kashbox?host=/var/run/postgresql',
    '',
  ];
  for (const url of right) t.is(parseSettings({}, { KASHBOX_DATABASE_URL: url }, {}).databaseUrl, url);
  for (const url of ['kashbox', 'mysql://kashbox:sekret@db/kashbox', 'postgres://kashbox:sekret@db:port/k']) {
    const error = t.throws(() => parseSettings({}, { KASHBOX_DATABASE_URL: url }, {}));
    t.true(isKashboxError(error, 'config_invalid'), url);
    t.false(error?.message.includes('sekret'));
  }
});

test('parameters of an address that nobody would heed are refused by name', (t) => {
  const faultOf = (url: string) => {
    const error = t.throws(() => parseSettings({}, { KASHBOX_DATABASE_URL: url }, {}), undefined, url);
    t.true(isKashboxError(error, 'config_invalid'), url);
    t.false(error?.message.includes('sekret'), url);
    return error?.message ?? '';
  };
  t.regex(
    faultOf('postgres://kashbox:sekret@/db?host=h1,h2'),
    /several hosts in its parameter host: write them before the database/,
  );
  for (const target of ['any', 'read-only', 'standby', 'prefer-standby']) {
    t.regex(faultOf(`postgres://h1,h2/db?target_session_attrs=${target}`), /Kashbox needs one that does/);
  }
  for (const hosts of ['h1,', ',h2', 'h1,,h2', 'h1:5432,h2:port']) {
    t.regex(faultOf(`postgres://kashbox:sekret@${hosts}/db`), /must be an address such as/, hosts);
  }
  t.regex(
    faultOf('postgres://h/db?connect_timeout=3'),
    /parameter connect_timeout, which Kashbox does not heed/,
  );
  t.regex(faultOf('postgres://h/db?sslmode=sekret'), /parameter sslmode with a value/);
  t.regex(faultOf('postgres://h/db?se-kret=1&sekret-sekret'), /has a parameter that is not supported/);
  const heeded = [
    'postgres://kashbox:se%2Ckret,@127.0.0.1/db',
    'postgres://kashbox:sekret@h1:5432,[::1]:5433,h3/db?target_session_attrs=read-write&sslmode=require',
    'postgres://h1,h2/db?target_session_attrs=primary',
    'postgres://h/db?sslmode=verify-full&sslrootcert=/etc/ca.pem&application_name=shop&options=-c%20jit%3Doff',
    'postgres://h/db?statement_timeout=5000&lock_timeout=1000',
  ];
  for (const url of heeded) t.is(parseSettings({}, { KASHBOX_DATABASE_URL: url }, {}).databaseUrl, url);
});

test('the public address is an https origin, and nothing that would get into a link with it', (t) => {
  const read = (url: string) => parseSettings({}, { KASHBOX_PUBLIC_URL: url }, {}).publicUrl;
  t.is(read(''), '');
  t.is(read('https://Pay.Example.com/'), 'https://pay.example.com');
  t.is(read('https://pay.example.com:8443'), 'https://pay.example.com:8443');
  const wrong = [
    ...['pay.example.com', 'http://pay.example.com', 'https://', '//pay.example.com', 'data:,x'],
    ...['https://pay.example.com/pay', 'https://pay.example.com/?a', 'https://pay.example.com/#a'],
    ...['https://a:b@pay.example.com', 'https://a@pay.example.com/', 'javascript:alert(1)', 'https://a b'],
  ];
  for (const url of wrong)
    t.true(
      isKashboxError(
        t.throws(() => read(url)),
        'config_invalid',
      ),
      url,
    );
});

test('private webhooks are off unless the word is true; any other word is refused', (t) => {
  const read = (words?: string) =>
    parseSettings({}, { KASHBOX_ALLOW_PRIVATE_WEBHOOKS: words }, {}).allowPrivateWebhooks;
  t.false(read());
  t.false(read('false'));
  t.true(read(' true '));
  t.true(parseSettings({ allowPrivateWebhooks: 'true' }, {}, {}).allowPrivateWebhooks);
  for (const words of ['', '1', 'yes', 'TRUE', 'on']) {
    t.true(
      isKashboxError(
        t.throws(() => read(words)),
        'config_invalid',
      ),
      words,
    );
  }
});

test('a domain sets the ports and the public address, unless they are given', (t) => {
  const of = (env: Readonly<Record<string, string>>) =>
    parseSettings({ domain: 'Pay.Shop.Example' }, env, {});
  const domain = 'pay.shop.example';
  const publicUrl = `https://${domain}`;
  t.like(of({}), { domain, host: '0.0.0.0', port: 443, httpPort: 80, publicUrl });
  t.like(of({ KASHBOX_PORT: '8443' }), { port: 8443, publicUrl: `https://${domain}:8443` });
  t.like(of({ KASHBOX_PORT: '0' }), { publicUrl: '' });
  t.like(of({ KASHBOX_PUBLIC_URL: 'https://shop.example' }), { publicUrl: 'https://shop.example' });
  t.like(parseSettings({}, {}, {}), { domain: '', host: '127.0.0.1', port: 8443, publicUrl: '' });
});

test('a domain is the name of a public host, and nothing else', (t) => {
  t.is(parseSettings({ domain: ' বাজার.বাংলা ' }, {}, {}).domain, 'xn--w5b5an8cb.xn--54b7fta0cc');
  const wrong = ['https://pay.shop.example', 'pay.shop.example:443', 'pay.shop.example/pay', '192.0.2.1'];
  for (const domain of [...wrong, '[::1]', 'localhost', 'pay shop.example', 'a@b.example']) {
    t.throws(() => parseSettings({ domain }, {}, {}), { message: /^--domain must be a domain name/ }, domain);
  }
});
