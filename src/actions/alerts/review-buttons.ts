/**
 * The buttons of a verification. What a button says of itself proves by a key of this installation that it
 * was made here, for that message and that action; it holds nothing of the verification.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  BUTTON_ACTIONS,
  type Button,
  type ButtonAction,
  buttonData,
  type ReadButton,
} from '../../domain/alerts/telegram.js';
import type { Core } from '../core/core.js';

const PROOF_BYTES = 12;
const TITLES: Readonly<Record<ButtonAction, string>> = { approve: 'Approve', reject: 'Reject' };

/** @param message identifier of the alert message that carries them. */
export function reviewButtons(core: Pick<Core, 'secrets'>, message: string): Button[] {
  return BUTTON_ACTIONS.map((action) => ({
    text: TITLES[action],
    data: buttonData(action, message, proofOf(core, action, message)),
  }));
}

export function isOurButton(core: Pick<Core, 'secrets'>, { action, message, proof }: ReadButton): boolean {
  const expected = Buffer.from(proofOf(core, action, message));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function proofOf({ secrets }: Pick<Core, 'secrets'>, action: ButtonAction, message: string): string {
  const key = secrets.deriveKey('telegram buttons');
  const digest = createHmac('sha256', key).update(`${action} ${message}`).digest();
  return digest.subarray(0, PROOF_BYTES).toString('base64url');
}
