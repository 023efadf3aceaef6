/** The app's settings and webhooks, which it fetches from us. Knows no HTTP. */
import { WEBHOOK_EVENTS } from './webhook.js';

const PING_SECONDS = 60;

/** The app waits 5 s after its first try and each time twice as long: with 17 tries a week goes by. */
const TRIES = 17;

/** The app's importer takes these names and ignores others. */
export function appSettings(signingKey: string) {
  return {
    webhooks: { signing_key: signingKey, retry_count: TRIES, internet_required: true },
    ping: { interval_seconds: PING_SECONDS },
    // The server limits the rate by what it leases; the phone adds no delay.
    messages: {
      send_interval_min: 0,
      send_interval_max: 0,
      limit_period: 'Disabled',
      limit_value: 0,
      processing_order: 'FIFO',
    },
    gateway: { notification_channel: 'SSE_ONLY' },
  };
}

/** @param base where the phone reaches this daemon, with the path before `/mobile/v1`. */
export function appWebhooks(base: string, deviceId: string) {
  const url = `${base}/mobile/v1/webhooks/${deviceId}`;
  // The app asks its owner about webhooks with new names, so the names stay the same.
  return WEBHOOK_EVENTS.map((event) => ({ id: `${deviceId}-${event.replace(':', '-')}`, url, event }));
}
