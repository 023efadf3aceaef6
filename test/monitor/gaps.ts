/** A gap in the balances of a shop's wallet, as a row, for tests of what is shown of it and done with it. */
import type { Db } from '../../src/store/schema/index.js';
import { openGap } from '../../src/store/tables/gaps.js';
import type { Shop } from '../helpers/shop/shop.js';

export function openGapOf(db: Db, shop: Shop, gap: { readonly id: string; readonly alert: string }) {
  return openGap(db, {
    ...gap,
    merchant_id: shop.merchantId,
    device_id: shop.deviceId,
    channel: 'mfs_a',
    recipient: '01711000001',
    sms_id: `sms of ${gap.id}`,
    before_id: 'sms_before',
    missing_paisa: -10_300,
    since: 0,
    found_at: 0,
    asked_at: null,
    answered_at: null,
    look_at: null,
    closed_at: null,
    closed_by: null,
  });
}
