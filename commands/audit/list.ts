/** `kashbox audit list` */
import { type AuditRow, auditPages, auditView } from '../../src/actions/audit/list-audit.js';
import { dhakaText } from '../../src/base/values/clock.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { spanFlags, text } from '../../src/cli/command/flags.js';
import { dayAndTime, shrinking } from '../../src/cli/text/table.js';

/** Formats `{"state":"OPEN"} -> {"state":"APPROVED"}`; a creation has no `before`. Bangladesh time. */
function changeText({ before, after }: AuditRow): string {
  const texts = [before, after]
    .filter((value) => value !== null)
    .map((value) => JSON.stringify(value, timed));
  return texts.join(' -> ');
}

const timed = (name: string, value: unknown): unknown =>
  typeof value === 'number' && /_at$/.test(name) ? dhakaText(value).slice(0, 16) : value;

export default pagedList({
  summary: 'List changes with who made them.',
  description:
    'WHO is cli:USER for an operator (behind sudo the person who typed it), rule for an automatic ' +
    'decision, device:ID for a phone. Audit entries are never deleted and contain no secrets.',
  examples: [
    '$ --since 1d',
    '$ --resource K7Q2M9XW4TZB --json',
    '$ --action merchant',
    '$ --actor cli:karim --csv',
  ],
  flags: {
    resource: text('ID', 'Only changes of this resource (ID, or payment number).', {
      kind: 'digits',
    }),
    actor: text('WHO', 'Only changes made by this actor, as listed.'),
    action: text('ACTION', 'Only this action or group, such as payment.credit or payment.'),
    ...spanFlags,
  },
  empty: 'There are no such entries.',
  async read({ core, flags: { resource: of, actor: who, action }, now, sinceMs, untilMs, limit }) {
    return pagesAs(auditPages(core, { of, who, action, sinceMs, untilMs, limit }), {
      columns: [
        { head: 'AT', text: (row) => dayAndTime(row.at, now) },
        shrinking('who'),
        'action',
        { head: 'SUBJECT', text: (row) => row.payment ?? row.subject, shrinks: true },
        { head: 'CHANGE', text: changeText, shrinks: true },
      ],
      csv: auditView.csv(),
    });
  },
});
