/** `kashbox messages send` */
import { namedGateway } from '../../src/actions/access/authenticate-gateway.js';
import { sendDispatch } from '../../src/actions/dispatches/send-dispatch.js';
import { KashboxError } from '../../src/base/errors/errors.js';
import { command } from '../../src/cli/command/define.js';
import { integer, needed, text } from '../../src/cli/command/flags.js';
import { readMessage } from '../../src/cli/input/whole-input.js';
import { dispatchSheet } from '../../src/cli/text/dispatch-sheet.js';

/** Flag name of each API field. */
const FLAGS: Readonly<Record<string, string>> = {
  number: '--to',
  message: '--message',
  sim_slot: '--sim',
  ttl_seconds: '--ttl',
  priority: '--priority',
  idempotency_key: '--idempotency-key',
};

export default command({
  summary: 'Send an SMS through a relay phone.',
  description:
    'The message is queued, even while the daemon is stopped, and the phone sends it in its next round, ' +
    'at most 24 parts a minute. No message is sent twice. "kashbox messages show" shows its status.',
  examples: [
    '$ --device counter-1 --to 01712345678 --message "Your order is ready."',
    'cat text.txt | $ --device counter-1 --to 01712345678 --message -',
  ],
  flags: {
    device: needed('DEVICE', 'Phone ID or name.', 'id'),
    to: needed('NUMBER', 'Recipient: 01XXXXXXXXX, or + and the country code.', 'digits'),
    message: needed('TEXT', 'The text; "-" reads it from stdin.'),
    sim: integer({
      helpValue: 'SLOT',
      description: 'SIM slot, 1 for the first (default: the phone chooses).',
    }),
    ttl: integer({
      helpValue: 'SECONDS',
      description: 'Maximum time to wait for the phone.',
      default: 1_800,
    }),
    priority: integer({
      helpValue: 'N',
      description: 'Priority from -128 to 127; higher is sent first.',
      default: 0,
    }),
    'idempotency-key': text('KEY', 'Idempotency key: a repeated key sends nothing.'),
  },
  async run({ cli, flags }) {
    const message = flags.message === '-' ? await readMessage(process.stdin) : flags.message;
    const core = await cli.core();
    const { dispatch, isPhoneOffline } = await sendDispatch(core, {
      gateway: await namedGateway(core, flags.device),
      number: flags.to,
      message,
      simSlot: flags.sim,
      ttlSeconds: flags.ttl,
      priority: flags.priority,
      idempotencyKey: flags.idempotencyKey,
      who: cli.who,
    }).catch((error: unknown) => {
      throw inFlags(error);
    });
    if (isPhoneOffline)
      cli.note(`The phone ${dispatch.device} is offline: it is sent if it is back in time.`);
    cli.show(dispatch, flags, dispatchSheet);
  },
});

/** Errors about a field begin with its name. */
function inFlags(error: unknown): unknown {
  if (!(error instanceof KashboxError)) return error;
  const flag = FLAGS[/^\w+/.exec(error.message)?.[0] ?? ''];
  if (flag === undefined) return error;
  return new KashboxError(error.code, {
    message: error.message.replace(/^\w+/, flag),
    hint: 'See the examples of `kashbox messages send --help`.',
  });
}
