/** What the doctor has found, as `kashbox doctor` tells it. */
import { type Check, type Finding, told } from '../../src/actions/doctor/check.js';
import { spoken } from '../../src/base/values/say.js';

export async function inEnglish<F extends Finding | readonly Finding[]>(
  found: Promise<F>,
): Promise<F extends Finding ? Check : Check[]> {
  const findings: Finding | readonly Finding[] = await found;
  const checks = 'name' in findings ? told(findings, spoken) : findings.map((one) => told(one, spoken));
  return checks as F extends Finding ? Check : Check[];
}
