/** Flags that say something of a brand, or of a merchant's first one; each means the same everywhere. */
import { option } from '@oclif/core/flags';
import { ON_OFF } from '../../actions/input/fields.js';
import { RECEIPT_SMS } from '../../domain/dispatches/receipt-text.js';
import { WEBHOOK_FORMATS } from '../../domain/notifications/notification.js';
import { NO_PLUGIN, PLUGIN_NAMES } from '../../domain/plugins/plugins.js';
import { DIALECTS, METADATA_FORMS, STATUS_FORMS } from '../../domain/sessions/payment-record.js';
import { RETURN_METHODS } from '../../domain/sessions/redirect.js';
import { integer, repeated, text } from './flags.js';

export const profileFlags = {
  mobile: text('NUMBER', 'Mobile number that customers see.', { kind: 'digits' }),
  whatsapp: text('NUMBER', 'WhatsApp number that customers see.', { kind: 'digits' }),
  email: text('ADDRESS', 'E-mail address that customers see.'),
  'webhook-url': text('URL', 'Webhook URL for payment notifications.'),
  'webhook-format': option({
    options: WEBHOOK_FORMATS,
    description: 'Notification format (default: json); form also sets --dialect flat.',
  })(),
};

/** Program of the shop. Its values are listed in the help, and in the error for any other value. */
export const pluginFlag = option({
  options: [...PLUGIN_NAMES, NO_PLUGIN],
  helpValue: 'NAME',
  description: 'Shop program; sets dialect and formats, other flags override it (docs/plugins.md).',
})();

/** Whether a payment may come in parts. */
export const partsFlag = (description: string) => option({ options: ON_OFF, description })();

/** Flags of the hosted checkout and its API only. */
export const hostedFlags = {
  fee: repeated(
    'CHANNEL=FEE',
    'Fee on the hosted page: mfs_a=1.85%, bank=10+0.5%; +whole rounds up, mfs_a=0 removes it. Repeatable.',
    { kind: 'fee' },
  ),
  'return-type': option({
    options: RETURN_METHODS,
    description: 'Default return to the shop: GET with parameters in the URL, POST as a form.',
  })(),
  'receipt-sms': option({
    options: RECEIPT_SMS,
    description: 'Language of receipts by SMS to payers (default: off).',
  })(),
  parts: partsFlag('Whether a payment may come in parts (default: off).'),
  plugin: pluginFlag,
  dialect: option({
    options: DIALECTS,
    description: 'Format of verify answers: standard, strict (true only if paid) or flat.',
  })(),
  'metadata-as': option({
    options: METADATA_FORMS,
    description: 'Meta data in verify answers: object or JSON string.',
  })(),
  'status-as': option({
    options: STATUS_FORMS,
    description: 'Case of the status in v1: upper or lower.',
  })(),
};

/** Branding flags: website, color and logo on the checkout page. */
export const brandingFlags = {
  website: text('URL', "The shop's website: customers see its domain."),
  color: text('COLOR', 'Color of the button and the bill: #0a7 or #00664b.', { aliases: ['colour'] }),
  logo: text('FILE', 'Logo: PNG, JPEG or WebP, at most 32 KiB and 1024 pixels.'),
};

/** Flags of the checkout page of a brand that exists. */
export const pageFlags = {
  mark: repeated(
    'CHANNEL=FILE',
    'Picture of a channel: bkash=bkash.png, PNG, JPEG or WebP, at most 16 KiB; bkash= removes it. Repeatable.',
    { kind: 'channel' },
  ),
  question: repeated(
    'QUESTION=ANSWER',
    'Question and answer on the page, at most three, replacing all others. Repeatable.',
  ),
  video: text('URL', 'Video that shows how to pay, https only.'),
};

/** The limits of time of a brand. */
export const timeFlags = {
  'session-minutes': integer({
    helpValue: 'MINUTES',
    description: 'Minutes until an unpaid payment expires.',
  }),
  'proof-window-hours': integer({
    helpValue: 'HOURS',
    description: 'Maximum age of the money before the payment, in hours.',
  }),
};
