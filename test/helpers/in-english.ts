/** What the doctor has found, as `kashbox doctor` tells it. */
import { type Check, type Finding, localizeCheck } from '../../src/actions/doctor/check.js';
import { translate } from '../../src/base/values/msg.js';

export async function inEnglish<F extends Finding | readonly Finding[]>(
  found: Promise<F>,
): Promise<F extends Finding ? Check : Check[]> {
  const findings: Finding | readonly Finding[] = await found;
  const checks =
    'name' in findings
      ? localizeCheck(findings, translate)
      : findings.map((one) => localizeCheck(one, translate));
  return checks as F extends Finding ? Check : Check[];
}
