/**
 * A program that sends alerts by e-mail to good and bad servers on loopback, and prints as JSON what became
 * of each. It trusts the tests' authority by NODE_EXTRA_CA_CERTS, and asserts nothing. Argument: folder of
 * the authority.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alertPayload } from '../../src/domain/alerts/alert-target.js';
import { type MailResult, type MailTarget, sendMail } from '../../src/notify/send-mail.js';
import { issue } from '../helpers/network/authority.js';
import { type GotMail, type MailServerOptions, openMailServer } from '../helpers/outside/mail-server.js';

const HOST = 'mail.example.com';
const PASSWORD = 'hunter2-and-more';

export interface MailOutcome {
  readonly results: readonly MailResult[];
  readonly got: readonly GotMail[];
}

const payload = alertPayload({
  id: 'alr_1',
  at: Date.UTC(2026, 7, 21, 6, 35),
  news: {
    kind: 'payment.completed',
    detail: {
      ...{ payment: 'AB12CD34EF56', channel: 'mfs_a', reference: 'DHL7CD1EF2', amount: '500.00' },
      ...{ brand: 'আলো স্টোর', customer: 'রহিম\r\n.\r\nMAIL FROM:<x@example.com>' },
    },
  },
  device: null,
  merchant: { id: 'mer_1', name: 'আলো\r\nBcc: thief@example.com' },
});

async function main(folder: string): Promise<void> {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const pair = await issue({ cert: read('ca.pem'), key: read('ca.key') }, { names: [HOST] });
  const strange = await issue(null, { names: [HOST] });
  const other = await issue({ cert: read('ca.pem'), key: read('ca.key') }, { names: ['other.example.com'] });
  const run = async (
    server: Omit<MailServerOptions, 'pair'> & { readonly pair?: typeof pair },
    change: Partial<MailTarget> = {},
    { times = 1, deadlineMs = 60_000, ip = '127.0.0.1' } = {},
  ): Promise<MailOutcome> => {
    const { port, got, close } = await openMailServer({ pair, password: PASSWORD, ...server });
    const isSecure = server.isSecure === true;
    const target: MailTarget = {
      ...{ kind: 'email', to: 'owner@example.com', from: 'alerts@example.com', host: HOST, port, isSecure },
      ...{ isLocal: false, user: 'alerts@example.com', password: PASSWORD, allowPrivate: true, ...change },
    };
    const results: MailResult[] = [];
    for (let n = 0; n < times; n += 1) {
      results.push(await sendMail(target, payload, { deadlineMs, resolve: async () => [ip] }));
    }
    close();
    return { results, got };
  };
  const outcomes = {
    tls: await run({ isSecure: true }),
    starttls: await run({ hasStartTls: true }),
    noStarttls: await run({}),
    local: await run({ hasStartTls: true }, { isLocal: true, user: null, password: null }),
    wrongPassword: await run({ isSecure: true }, { password: 'wrong-wrong' }),
    hang: await run({ isMute: true }, {}, { deadlineMs: 700 }),
    hangInTls: await run({ isMute: true }, { isSecure: true }, { deadlineMs: 700 }),
    hangInStarttls: await run({ hasStartTls: true, hangsIn: 'STARTTLS' }, {}, { deadlineMs: 700 }),
    hangInData: await run({ isSecure: true, hangsIn: 'DATA' }, {}, { deadlineMs: 2_000 }),
    plainInTls: await run({}, { isSecure: true }),
    later: await run({ isSecure: true, answers: ['451 4.3.0 come back'] }, {}, { times: 2 }),
    refused: await run({ isSecure: true, answers: ['554 5.7.1 spam\u001b[2J'] }),
    busy: await run({ isSecure: true, greeting: '421 too many connections' }),
    rubbish: await run({ isSecure: true, greeting: 'SSH-2.0-OpenSSH_9.2' }),
    flood: await run({ isSecure: true, greeting: `220-${'x'.repeat(3_000_000)}` }),
    strange: await run({ isSecure: true, pair: strange }),
    otherName: await run({ hasStartTls: true, pair: other }),
    inside: await run({ isSecure: true }, { allowPrivate: false }),
    nobody: await run({}, { port: 1 }),
  };
  process.stdout.write(JSON.stringify(outcomes));
}

await main(process.argv[2] ?? '');
