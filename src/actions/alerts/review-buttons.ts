/**
 * The buttons of a verification. What a button says of itself proves by a key of this installation that it
 * was made here, for that message, that action and those facts; it holds nothing of the verification.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Button,
  type ButtonAction,
  type ButtonMeaning,
  buttonData,
  buttonTitle,
  type ReadButton,
} from '../../domain/alerts/telegram.js';
import type { Core } from '../core/core.js';

const PROOF_BYTES = 12;

/**
 * @param carried.message identifier of the alert message that carries them.
 * @param carried.facts version of the facts that it shows.
 */
export function reviewButtons(
  core: Pick<Core, 'secrets'>,
  carried: Omit<ButtonMeaning, 'action'>,
  actions: readonly ButtonAction[] = ['approve', 'reject'],
): Button[] {
  return actions.map((action) => {
    const button = { ...carried, action };
    return { text: buttonTitle(action), data: buttonData(button, proofOf(core, button)) };
  });
}

export function isOurButton(core: Pick<Core, 'secrets'>, button: ReadButton): boolean {
  const expected = Buffer.from(proofOf(core, button));
  const given = Buffer.from(button.proof);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function proofOf({ secrets }: Pick<Core, 'secrets'>, { action, message, facts }: ButtonMeaning): string {
  const key = secrets.deriveKey('telegram buttons');
  const meant = [action, message, ...(facts === null ? [] : [facts])].join(' ');
  const digest = createHmac('sha256', key).update(meant).digest();
  return digest.subarray(0, PROOF_BYTES).toString('base64url');
}
