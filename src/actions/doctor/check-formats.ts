/** Whether the operator's own SMS formats can be used. */
import { say } from '../../base/values/say.js';
import type { Core } from '../core/core.js';
import { readFormatFiles } from '../core/load-sms-engine.js';
import { type Finding, fail, ok } from './check.js';

/** @returns nothing where there are no such files. */
export function checkFormats({ home }: Pick<Core, 'home'>): Finding[] {
  const { formats, faults } = readFormatFiles(home.formatsFolder);
  const remedy = say`The daemon reads SMS without it. Repair it, or move it out of ${home.formatsFolder}; then restart the daemon and run kashbox sms reparse.`;
  if (faults.length > 0) return faults.map(({ message }) => fail('SMS formats', message, remedy));
  return formats.length === 0 ? [] : [ok('SMS formats', say`${formats.length} files of your own`)];
}
