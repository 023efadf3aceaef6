/** Alerts by e-mail, to a real server over TLS and STARTTLS, and whatever else a mail server may do. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { newAuthority } from '../helpers/network/authority.js';
import { startNode, withinTime } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';
import type { MailOutcome } from './mail-scenarios.js';

/** The text of a header that is not ASCII (RFC 2047). */
const decoded = (header: string) => {
  const words = [...header.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)];
  const bytes = words.map(([, kind, word = '']) =>
    kind?.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : quoted(word.replaceAll('_', ' ')),
  );
  return Buffer.concat(bytes).toString('utf8');
};
const quoted = (word: string) =>
  Buffer.from(
    word.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`))),
    'latin1',
  );

const program = fileURLToPath(new URL('mail-scenarios.js', import.meta.url));

test('a mail is sent encrypted and whole, or is not, and what a server did is said without the password', async (t) => {
  const folder = await temporaryFolder(t);
  const authority = await newAuthority();
  writeFileSync(join(folder, 'ca.pem'), authority.cert);
  writeFileSync(join(folder, 'ca.key'), authority.key);
  const child = startNode(t, [program, folder], { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') });
  const { code } = await withinTime(child);
  t.is(code, 0, child.stderr());
  const outcomes = JSON.parse(child.stdout()) as Record<string, MailOutcome>;
  const details = (name: string) => outcomes[name]?.results.map(({ detail }) => detail) ?? [];
  const arrived = Object.keys(outcomes).filter((name) => outcomes[name]?.results.at(-1)?.isDelivered);
  t.deepEqual(arrived, ['tls', 'starttls', 'local', 'later']);

  const got = outcomes.tls?.got[0];
  t.deepEqual(
    got?.commands
      .filter((line) => /^(MAIL|RCPT)/.test(line))
      .map((line) => line.split(' ').slice(0, 2).join(' ')),
    ['MAIL FROM:<alerts@example.com>', 'RCPT TO:<owner@example.com>'],
  );
  const [head = '', ...paragraphs] = got?.mail.split('\n\n') ?? [];
  const body = paragraphs.join('\n\n');
  t.regex(head, /^From: Kashbox <alerts@example.com>$/m);
  t.regex(head, /^Message-ID: <alr_1@mail.example.com>$/m);
  t.regex(head, /^Content-Type: text\/plain; charset=utf-8$/m);
  t.notRegex(head, /^Bcc/m);
  t.is(
    decoded(/^Subject: (.+(?:\n .+)*)/m.exec(head)?.[1] ?? ''),
    'Kashbox: payment.completed, আলো Bcc: thief@example.com',
  );
  const isBase64 = /^Content-Transfer-Encoding: base64$/m.test(head);
  const text = (isBase64 ? Buffer.from(body, 'base64') : quoted(body.replaceAll('=\n', ''))).toString('utf8');
  t.true(text.startsWith('500.00 BDT from রহিম'), text);
  t.true(text.trim().endsWith('2026-08-21 12:35:00 in Bangladesh, alr_1'), text);

  t.true(outcomes.starttls?.got[0]?.isEncrypted);
  t.false(outcomes.local?.got[0]?.isEncrypted, 'on this machine nobody listens on the way');
  t.deepEqual(details('noStarttls'), [
    'the server offers no encryption (STARTTLS); use smtps:// if it does by another port',
  ]);
  t.false(JSON.stringify(outcomes.noStarttls?.got).includes('AUTH'), 'nothing is told in the clear');
  t.deepEqual(details('wrongPassword'), ['user name or password refused: 535 5.7.8 not with …']);
  t.deepEqual(details('hang'), ['the mail server took longer than 0.7 s']);
  t.deepEqual(details('hangInTls'), ['the mail server took longer than 0.7 s']);
  t.deepEqual(details('hangInStarttls'), ['the mail server took longer than 0.7 s']);
  t.deepEqual(details('hangInData'), ['the mail server took longer than 2 s']);
  t.deepEqual(details('plainInTls'), ['answered without TLS on an https address']);
  t.deepEqual(details('later'), ['answered 451 4.3.0 come back', 'taken: 250 taken']);
  t.deepEqual(details('refused'), ['answered 554 5.7.1 spam[2J']);
  t.deepEqual(details('busy'), ['answered 421 too many connections']);
  t.deepEqual(details('rubbish'), ['answered with something that is not SMTP']);
  t.deepEqual(details('flood'), ['answered with something that is not SMTP']);
  t.deepEqual(details('strange'), ['self-signed certificate']);
  t.regex(details('otherName')[0] ?? '', /^TLS failed: Hostname\/IP does not match/);
  t.like(outcomes.inside?.results[0], { isBlocked: true });
  t.deepEqual(outcomes.inside?.got, [], 'it is not even connected to');
  t.deepEqual(details('nobody'), ['connection refused']);
  t.false(child.stdout().includes('hunter2-and-more'));
});
