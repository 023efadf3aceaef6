/**
 * A program that notifies good and bad endpoints, and prints as JSON what became of each. It runs in a
 * network of its own (test/helpers/network/network), trusts the tests' authority by NODE_EXTRA_CA_CERTS, and
 * asserts nothing. Arguments: address of the receivers, `private` or `public`, folder of the authority, set
 * of scenarios.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/values/clock.js';
import { createSender } from '../../src/notify/send.js';
import { signatureHeaders } from '../../src/notify/signature.js';
import { issue } from '../helpers/network/authority.js';
import { brokenScenarios, floodScenarios, lateScenarios, plainScenarios } from './answer-scenarios.js';
import { dnsScenarios } from './dns-scenarios.js';
import { CONTENT, type Ground, type Scenarios, SECRETS, SHOP } from './ground.js';
import { insideScenarios, nameScenarios, redirectScenarios } from './guard-scenarios.js';
import { closeAll } from './receivers.js';
import { tlsScenarios } from './tls-scenarios.js';

const SETS: Readonly<Record<string, (ground: Ground) => Scenarios>> = {
  inside: insideScenarios,
  names: nameScenarios,
  redirects: redirectScenarios,
  plain: plainScenarios,
  late: lateScenarios,
  broken: brokenScenarios,
  floods: floodScenarios,
  dns: dnsScenarios,
  tls: tlsScenarios,
};

async function main([host = '', kind = '', folder = '', set = '']: readonly string[]): Promise<void> {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const authority = { cert: read('ca.pem'), key: read('ca.key') };
  const send: Ground['send'] = (to, { resolve = async () => [host], dns = false, ...rest } = {}) => {
    const at = systemClock.now();
    return createSender(dns ? {} : { resolve }).send({
      url: typeof to === 'number' ? `https://${SHOP}:${to}/hook` : to,
      content: CONTENT,
      contentType: 'application/json',
      headers: signatureHeaders({ id: 'ntf_1', at, content: CONTENT, secrets: SECRETS }),
      allowPrivate: kind === 'private',
      ...rest,
    });
  };
  const pair = await issue(authority, { names: [SHOP], ips: [host] });
  const scenarios = SETS[set]?.({ host, authority, pair, send }) ?? {};
  const results = await Promise.all(
    Object.entries(scenarios).map(async ([name, run]) => [name, await run()] as const),
  );
  closeAll();
  process.stdout.write(`${JSON.stringify(Object.fromEntries(results))}\n`);
}

await main(process.argv.slice(2));
