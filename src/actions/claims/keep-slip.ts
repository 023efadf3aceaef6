/** Stores a customer's slip, within the brand's daily limit. */
import { createHash } from 'node:crypto';
import { dhakaIso } from '../../base/values/clock.js';
import type { SlipType } from '../../domain/reviews/slip.js';
import type { Db } from '../../store/schema/index.js';
import { insertSlip, markSlip, takeSlipRoom } from '../../store/tables/reviews.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';

const MIB = 1024 * 1024;

export interface NewSlip {
  readonly bytes: Buffer;
  readonly mediaType: SlipType;
}

/** Whose slip it is: the claim, and the brand whose customer gave it. */
export interface SlipOwner {
  readonly review: string;
  readonly brand: { readonly id: string; readonly name: string; readonly merchantId: string };
}

/** `room_ended`: there was no room either, and this was the first slip of that day without any. */
export type SlipResult = 'kept' | 'no_room' | 'room_ended';

/**
 * Anyone may upload, so there is a daily limit: above it the claim has no slip, and operators get an alert.
 */
export async function keepSlip(core: Core, db: Db, owner: SlipOwner, slip: NewSlip): Promise<SlipResult> {
  const { review, brand } = owner;
  const { slipMibADay } = core.settings;
  const now = core.clock.now();
  const day = dhakaIso(now).slice(0, 10);
  const room = { brand: brand.id, day, bytes: slip.bytes.length, mostBytes: slipMibADay * MIB };
  if (!(await takeSlipRoom(db, room))) {
    await markSlip(db, [review], 'no_room');
    const told = await raiseAlert(core, db, {
      kind: 'slips.full',
      merchantId: brand.merchantId,
      incident: `slips.full:${brand.id}:${day}`,
      detail: { brand: brand.name, day, mib: slipMibADay },
    });
    return told === 'raised' ? 'room_ended' : 'no_room';
  }
  await insertSlip(db, {
    review_id: review,
    media_type: slip.mediaType,
    bytes: slip.bytes.length,
    sha256: createHash('sha256').update(slip.bytes).digest('hex'),
    content: slip.bytes.toString('base64'),
    created_at: now,
  });
  await markSlip(db, [review], 'kept');
  return 'kept';
}
