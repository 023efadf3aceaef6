/** What `webhooks verify` says of captured notifications, right ones and all ways to get one wrong. */
import test from 'ava';
import { checkCaptured, checkedLines, parseHeaders } from '../../src/cli/webhooks/webhook-check.js';
import { signatureHeaders } from '../../src/notify/signature.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OLD = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW = Date.UTC(2026, 7, 21, 6, 35);
const BODY = '{"event":"payment.completed","cus_name":"আলো","amount":500,"meta_data":{"a":["b/c"]}}';

function signed(secrets: readonly string[] = [SECRET], at = NOW) {
  return signatureHeaders({ id: 'ntf_1', at, content: BODY, secrets });
}

/** The results of both headers and what is said of the first. */
function check(body: string, { headers = signed(), secret = SECRET, toleranceS = 300, now = NOW } = {}) {
  const checked = checkCaptured(headers, { body: Buffer.from(body), secrets: [secret], now, toleranceS });
  const [own, standard] = checked.checks;
  return { valid: checked.valid, results: [own?.result, standard?.result], message: own?.message ?? '' };
}

test('a body as it was sent is valid, under either secret of a rotation', (t) => {
  t.like(check(BODY), { valid: true, results: ['valid', 'valid'] });
  const headers = signed([SECRET, OLD]);
  t.true(check(BODY, { headers }).valid);
  t.true(check(BODY, { headers, secret: OLD }).valid);
});

test('a reserialized body or an extra line break is distinguished from a wrong secret', (t) => {
  const wrong = ['wrong', 'wrong'];
  for (const anew of [JSON.stringify(JSON.parse(BODY), null, 2), BODY.replace('b/c', 'b\\/c')]) {
    const { results, message } = check(anew);
    t.deepEqual(results, wrong);
    t.regex(message, /secret is right.*serialized again/);
  }
  for (const end of ['\n', '\r\n']) t.regex(check(`${BODY}${end}`).message, /secret is right.*line break/);
  const other = check(BODY, { secret: OLD });
  t.deepEqual(other.results, wrong);
  t.regex(other.message, /^Not signed with this secret.*parsed and serialized again is the usual reason/);
  t.regex(check(BODY.replace('500', '900')).message, /^Not signed/);
});

test('an old one is refused, unless its time is given or any age is allowed', (t) => {
  const headers = signed([SECRET], NOW - 7_200_000);
  const old = check(BODY, { headers });
  t.false(old.valid);
  t.regex(old.message, /signed 2 h ago, and 5 min are allowed.*--at.*--tolerance 0/);
  t.true(check(BODY, { headers, toleranceS: Number.POSITIVE_INFINITY }).valid);
  t.true(check(BODY, { headers, now: NOW - 7_200_000 }).valid);
  t.regex(check(BODY, { headers: signed([SECRET], NOW + 600_000) }).message, /10 min in the future.*clock/);
});

test('headers that are missing, cut or mistyped are named', (t) => {
  const own = { 'x-service-signature': 't=1789000000,v1=00' };
  t.regex(check(BODY, { headers: own }).message, /not whole/);
  t.regex(check(BODY, { headers: { 'x-service-signature': '' } }).message, /is empty/);
  const { 'webhook-signature': standard = '' } = signed();
  t.regex(check(BODY, { headers: { 'webhook-signature': standard } }).message, /three headers/);
});

test('one wrong header of two makes the whole invalid', (t) => {
  const headers = { ...signed(), 'webhook-id': 'ntf_2' };
  t.like(check(BODY, { headers }), { valid: false, results: ['valid', 'wrong'] });
});

test('headers are read from flags in any case, as values or as whole lines', (t) => {
  const value = 't=1,v1=ab';
  t.deepEqual(parseHeaders(value, []), { 'x-service-signature': value });
  t.deepEqual(parseHeaders(`X-Service-Signature: ${value}`, []), { 'x-service-signature': value });
  t.deepEqual(parseHeaders(undefined, ['Webhook-ID:ntf_1 ', 'webhook-signature: v1,a=']), {
    'webhook-id': 'ntf_1',
    'webhook-signature': 'v1,a=',
  });
  t.throws(() => parseHeaders(undefined, []), { message: /no signature/ });
  t.throws(() => parseHeaders(undefined, ['webhook-id: ntf_1']), { message: /no signature/ });
  t.throws(() => parseHeaders(value, ['\u001b[31mred']), {
    message: /^--header "\ufffd\[31mred" is no header$/,
  });
});

test('the output fits a terminal of 80 columns', (t) => {
  const checked = checkCaptured(signed(), { body: 'x', secrets: [OLD], now: NOW, toleranceS: 300 });
  for (const line of checkedLines(checked, 80)) t.true(line.length <= 80, line);
});
