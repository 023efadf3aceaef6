/** `kashbox nodes add` */
import { boolean } from '@oclif/core/flags';
import { addNodes } from '../../src/actions/usdt/nodes.js';
import { command } from '../../src/cli/command/define.js';
import { integer, text } from '../../src/cli/command/flags.js';
import { wholeOf } from '../../src/cli/input/whole-input.js';

export default command({
  summary: 'Add a blockchain node.',
  description:
    'A node confirms USDT transfers. --public adds the free nodes of the chain, which limit the number of requests. ' +
    'For a busy shop add one of a provider (QuickNode, Ankr, NodeReal, Chainstack have free plans); it is asked ' +
    'first. The URL often contains a key, so it is stored encrypted; "--url -" reads it from stdin.',
  makesHome: true,
  examples: [
    '$ --public',
    '$ --url https://your-name.bsc.quiknode.pro/your-key/',
    '$ --url http://127.0.0.1:8545 --chain 97',
    'pass show bsc-node | $ --url -',
  ],
  flags: {
    url: text('URL', 'Address of a node: https, or http for one on this machine; - reads it from stdin.', {
      exactlyOne: ['url', 'public'],
    }),
    public: boolean({ description: 'The well-known public nodes of the chain.' }),
    chain: integer({
      helpValue: 'ID',
      description: 'Its chain: 56 is BNB Smart Chain, 97 its test chain.',
      default: 56,
    }),
    priority: integer({
      helpValue: 'NUMBER',
      description: 'Lower numbers are asked first (default: 10; public nodes: 100).',
    }),
    'no-batch': boolean({
      description: 'It takes one question a request; "kashbox nodes check" says which needs this.',
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
  const limit = { maxBytes: 4_096, message: 'There is more on stdin than an address', hint };
  return (await wholeOf(process.stdin, limit)).toString('utf8');
}
