/** What the app fetches about itself: its settings and the webhooks that it is to call. Knows no HTTP. */
import { WEBHOOK_EVENTS } from './webhook.js';

const PING_SECONDS = 60;

/**
 * The app's importer takes these names; what it does not know it passes over. It tries a webhook 15 times over
 * about two days unless told otherwise: the longest that its own limit lets grow.
 */
export function appSettings(signingKey: string) {
  return {
    webhooks: { signing_key: signingKey, retry_count: 15, internet_required: true },
    ping: { interval_seconds: PING_SECONDS },
    // How much is sent is decided here, by what is handed out; the phone adds no waiting of its own.
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
  // The app asks its owner to look at webhooks whose names are new: the same ones keep quiet.
  return WEBHOOK_EVENTS.map((event) => ({ id: `${deviceId}-${event.replace(':', '-')}`, url, event }));
}
