/** `kashbox audit verify` */
import { boolean } from '@oclif/core/flags';
import { type AuditVerified, verifyAudit } from '../../src/actions/audit/verify-audit.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { dhakaText } from '../../src/base/values/clock.js';
import { command } from '../../src/cli/command/define.js';
import { text } from '../../src/cli/command/flags.js';
import { longWork } from '../../src/cli/command/long-work.js';
import { type ChainHead, headText, parseChainHead } from '../../src/domain/audit-chain/chain.js';

/** Refused in this state. */
const EXIT_WRONG = 4;
/** A screen; --json has more. */
const SHOWN = 20;

export default command({
  summary: 'Verify the audit log.',
  description:
    'Each credit and audit entry is in a hash chain keyed with secret.key. The command verifies the chain and names ' +
    'every changed row. Save the printed end of the chain outside the reach of anyone who can change the database, ' +
    'and pass it as --expect next time: only that finds rows removed from the end. The sums of ' +
    'payments, credits and refunds are compared. --deep also parses the SMS or push of each automatic credit and ' +
    'refund again and looks for its audit entry. Exit code 4: a finding.',
  examples: ['$', '$ --deep', '$ --expect 1840:Xl3…', '$ --json'],
  flags: {
    expect: text('END', 'End of the chain from an earlier run, which must still be in it.'),
    deep: boolean({ description: 'Parse the SMS or push of each credit and refund again.' }),
  },
  async run({ cli, flags }) {
    const expected = flags.expect === undefined ? null : headOf(flags.expect);
    const core = await cli.core();
    const verified = await longWork('Checking', (means) =>
      verifyAudit(core, { ...means, expected, isDeep: flags.deep }),
    );
    if (!verified.ok) process.exitCode = EXIT_WRONG;
    cli.show(verified, flags, linesOf);
  },
});

function headOf(typed: string): ChainHead {
  return (
    parseChainHead(typed) ??
    refuse(
      '--expect is not the end of a chain',
      'Give it as kashbox audit verify printed it: a number, a colon and 43 letters, digits, - or _.',
    )
  );
}

function linesOf({ ok, rows, head, pending, since, unchecked, found, findings }: AuditVerified): string[] {
  const shown = findings.slice(0, SHOWN).map(({ message }) => `  ${message}`);
  const more = found > shown.length ? [`  … and ${found - shown.length} more: --json has them.`] : [];
  const lines = ok
    ? [`All ${rows - pending} credits and audit entries in the chain are as they were written.`]
    : [`${found} ${found === 1 ? 'thing is' : 'things are'} wrong with ${rows} credits and audit entries:`];
  if (since !== null) {
    lines.push(
      `The secret.key was replaced on ${dhakaText(Date.parse(since))}: of the ${unchecked} rows from before only ` +
        'whether they are there is known.',
    );
  }
  if (pending > 0)
    lines.push(
      `${pending} more are not in the chain yet, so nothing is known of them; a daemon puts them in.`,
    );
  return [
    ...lines.slice(0, 1),
    ...shown,
    ...more,
    ...lines.slice(1),
    ...(head.number > 0 ? [`End of the chain: ${headText(head)}`] : []),
  ];
}
