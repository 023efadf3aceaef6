/** `kashbox nodes add` */
import { boolean } from '@oclif/core/flags';
import { addNodes } from '../../src/actions/usdt/nodes.js';
import { command } from '../../src/cli/command/define.js';
import { integer, text } from '../../src/cli/command/flags.js';
import { readWithLimit } from '../../src/cli/input/whole-input.js';

export default command({
  summary: 'Add a blockchain node.',
  description:
    'A node confirms USDT transfers. --public adds the free nodes of the chain, which limit the number of ' +
    'requests. For a busy shop add one of a provider (QuickNode, Ankr, NodeReal and Chainstack have free ' +
    'plans) with a higher priority. The URL often contains a key, so it is stored encrypted; "--url -" ' +
    'reads it from stdin.',
  makesHome: true,
  examples: [
    '$ --public',
    '$ --url https://your-name.bsc.quiknode.pro/your-key/',
    '$ --url http://127.0.0.1:8545 --chain 97',
    'pass show bsc-node | $ --url -',
  ],
  flags: {
    url: text('URL', 'Node URL: https, or http on this machine; - reads it from stdin.', {
      exactlyOne: ['url', 'public'],
    }),
    public: boolean({ description: 'Add the well-known public nodes of the chain.' }),
    chain: integer({
      helpValue: 'ID',
      description: 'Chain ID: 56 for BNB Smart Chain, 97 for its testnet.',
      default: 56,
    }),
    priority: integer({
      helpValue: 'NUMBER',
      description: 'Priority; lower is tried first (default: 10; public nodes: 100).',
    }),
    'no-batch': boolean({
      description: 'Send one call per request; "kashbox nodes check" says if a node needs this.',
    }),
  },
  async run({ cli, flags }) {
    const nodes = await addNodes(await cli.core(), {
      chainId: flags.chain,
      url: flags.url === '-' ? await piped() : flags.url,
      priority: flags.priority,
      batches: !flags.noBatch,
      who: cli.who,
    });
    cli.show({ nodes }, flags, () =>
      nodes.length === 0
        ? ['They are all there already.']
        : nodes.map(({ id, chain_id, origin }) => `Added ${origin}, chain ${chain_id} (${id})`),
    );
    cli.note('See how each answers now: kashbox nodes check');
  },
});

async function piped(): Promise<string> {
  const hint = 'Pipe in one address, as your provider shows it.';
  const limit = { maxBytes: 4_096, message: 'stdin contains more than an address', hint };
  return (await readWithLimit(process.stdin, limit)).toString('utf8');
}
