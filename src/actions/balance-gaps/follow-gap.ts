/** Takes the next steps about one gap: asks its phones to send again what they have, then tells people. */
import { dhakaIso } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { ASK_EVERY_MS, type GapStep, nextGapStep } from '../../domain/balance-gaps/gap-steps.js';
import type { Db, SmsGapTable } from '../../store/schema/index.js';
import { askToResend, findGap, lastAskOf, noteGap, openGapsOf, phonesOf } from '../../store/tables/gaps.js';
import { lockMerchant } from '../../store/tables/merchants.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';
import { momentsOf } from './scan-wallet.js';

export interface Followed {
  readonly steps: number;
  /** Whether people were told of it just now. */
  readonly isTold: boolean;
}

interface Asked {
  readonly gap: SmsGapTable;
  /** Phones that can send again what they have; its own first. */
  readonly phones: readonly string[];
  readonly next: GapStep;
}

/** Forwarder apps and scripts keep nothing. `app` goes through its inbox, but never says when it is done. */
const SEND_AGAIN: readonly string[] = ['relay', 'app'];

/** @param found the gap, as it was when it was due; what it is now is read anew. */
export async function followGap(core: Core, found: SmsGapTable): Promise<Followed> {
  const called = new Set<string>();
  const followed = await core.store.write(async (db) => {
    await lockMerchant(db, found.merchant_id);
    called.clear();
    let isTold = false;
    for (let steps = 0; ; steps += 1) {
      const due = await whatNext(core, db, found.id);
      if (due === null) return { steps, isTold };
      const { gap, phones, next } = due;
      switch (next.step) {
        case 'ask':
          for (const phone of phones) {
            await askToResend(db, phone, gap.since);
            called.add(phone);
          }
          await noteGap(db, gap.id, { asked_at: core.clock.now(), device_id: phones[0] ?? gap.device_id });
          break;
        case 'tell':
          isTold = (await tell(core, db, gap)) === 'raised';
          break;
        case 'wait':
          await noteGap(db, gap.id, { look_at: next.lookAt });
          return { steps, isTold };
        default:
          return next satisfies never;
      }
    }
  });
  for (const phone of called) core.called.tell(phone);
  return followed;
}

async function whatNext(core: Core, db: Db, id: string): Promise<Asked | null> {
  const gap = await findGap(db, id);
  if (gap === undefined || gap.closed_at !== null) return null;
  const able = (await phonesOf(db, gap)).filter(({ agent }) => SEND_AGAIN.includes(agent));
  const own = able.filter(({ id }) => id === gap.device_id);
  const phones = [...own, ...able.filter(({ id }) => id !== gap.device_id)];
  const [first] = phones;
  const now = core.clock.now();
  const state = {
    foundAt: gap.found_at,
    since: gap.since,
    askedAt: gap.asked_at,
    answeredAt: gap.answered_at,
    isTold: gap.alert !== null,
  };
  const asked = {
    canAnswer: first !== undefined,
    isSending: first !== undefined && first.resend_since !== null,
    lastAsk: first === undefined ? null : await lastAskOf(db, first.id, now - ASK_EVERY_MS),
  };
  return { gap, phones: phones.map(({ id }) => id), next: nextGapStep(state, asked, now) };
}

/** Gaps of one wallet share an alert while one of them is open: a person looks at the same statement. */
async function tell(core: Core, db: Db, gap: SmsGapTable): Promise<'raised' | 'known'> {
  const shared = (await openGapsOf(db, gap)).find(({ alert }) => alert !== null)?.alert ?? null;
  const incident = shared ?? `sms.gap:${gap.id}:${gap.found_at}`;
  await noteGap(db, gap.id, { alert: incident });
  if (shared !== null) return 'known';
  const moments = await momentsOf(db, [gap.before_id, gap.sms_id]);
  return raiseAlert(core, db, {
    kind: 'sms.gap',
    merchantId: gap.merchant_id,
    deviceId: gap.device_id,
    incident,
    detail: {
      channel: gap.channel,
      recipient: gap.recipient,
      missing: formatTaka(Math.abs(gap.missing_paisa)),
      direction: gap.missing_paisa > 0 ? 'in' : 'out',
      from: dhakaIso(moments.get(gap.before_id) ?? gap.since),
      until: dhakaIso(moments.get(gap.sms_id) ?? gap.found_at),
    },
  });
}
