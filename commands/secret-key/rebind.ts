/** `kashbox secret-key rebind` */
import { type AcceptedKey, acceptKey } from '../../src/actions/installation/accept-key.js';
import { command } from '../../src/cli/command/define.js';

/** Commands that set each kind of secret again. */
const AGAIN: Readonly<Record<AcceptedKey['shut'][number]['kind'], string>> = {
  webhook: 'new webhook secret, for the shop too: kashbox webhooks rotate --brand',
  exchange: 'credentials of the exchange: kashbox accounts set, for the brand',
  node: 'address of the node: kashbox nodes remove, then nodes add',
  acquirer: 'new key and secret, for the bank too: kashbox acquirers revoke, then acquirers create',
  alert: 'where alerts are told: kashbox alert-targets delete, then alert-targets create',
  pairing: 'new pairing code: kashbox devices rotate',
};

export default command({
  summary: 'Accept a new secret.key after losing the old.',
  description:
    'Takes the secret.key in the home folder for that of the store, and makes one where there is none. Secrets that were ' +
    'sealed under the lost key cannot be opened any more; the command lists them, and how each is set again. Paired phones ' +
    'and Brand Keys go on working; the app SMS Gateway for Android must be restarted. Stop every daemon on this store ' +
    'before. What is older cannot be checked by `kashbox audit verify` any more. If the old key turns up again, put it back and run the command once more.',
  makesHome: true,
  examples: ['$', '$ --json'],
  async run({ cli, flags }) {
    cli.show(await acceptKey(await cli.core(), { who: cli.who }), flags, linesOf);
  },
});

function linesOf({ fingerprint, before, shut }: AcceptedKey): string[] {
  const isSame = before === fingerprint;
  const head = isSame
    ? `The key ${fingerprint} is that of this store already.`
    : `The key ${fingerprint} is that of this store from now on${before === null ? '' : `, instead of ${before}`}.`;
  if (shut.length === 0) return [head, 'It opens every secret.'];
  return [
    head,
    'It does not open these; set them again:',
    ...shut.map(({ kind, name }) => `  ${name}: ${AGAIN[kind]}`),
    'Then start the daemon again.',
  ];
}
