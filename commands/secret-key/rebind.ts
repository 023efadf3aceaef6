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
    'First look for a copy of the old secret.key, in a backup or on the first machine: with it you lose ' +
    'nothing. This command binds the store to the secret.key in the home folder, and creates one if it ' +
    'does not exist. Secrets encrypted with the lost key cannot be decrypted; the command lists them and ' +
    'how to set each again. Paired phones and Brand Keys keep working; restart the app SMS Gateway for ' +
    'Android. Stop all daemons of this store first. "kashbox audit verify" cannot check older entries any ' +
    'longer. If you find the old key later, put it back and run the command again.',
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
