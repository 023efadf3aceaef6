/** What a shop needs to connect, as lines, as one code to paste, and as a QR code. */
import type { ConnectedBrand } from '../../actions/brands/connect-brand.js';
import type { PingResult } from '../../actions/notifications/notifications.js';
import { visible, wrap } from '../../base/values/cells.js';
import { msg, type Text, type Translate } from '../../base/values/msg.js';
import { quoted } from '../../base/values/text.js';
import { terminalQr } from './qr.js';
import { formatKeyValues } from './table.js';
import { webhookFault } from './webhook-fault.js';

/** Version of the code's format. */
const CODE_START = 'kashbox1.';

export interface Connection extends ConnectedBrand {
  /** https address of Kashbox as the shop sees it, without a slash at its end. */
  readonly url: string;
  /** Result of a test notification; null if the brand has no webhook. */
  readonly pinged: PingResult | null;
}

/** @returns `kashbox1.` and JSON of address, key and secret in base64url, which plugins take apart. */
export function connectionCode({ url, brand_key: key, webhook_secret: secret }: Omit<Connection, 'pinged'>) {
  return `${CODE_START}${Buffer.from(JSON.stringify({ url, key, secret })).toString('base64url')}`;
}

interface Screen {
  /** Cells of a line; the code is never wrapped, because it is copied. */
  readonly width: number;
  /** True if the output is a terminal. */
  readonly coloured: boolean;
  readonly speak: Translate;
}

export async function connectionSheet(connection: Connection, screen: Screen): Promise<string[]> {
  const { width, coloured, speak } = screen;
  const { brand, key, pinged } = connection;
  const code = connectionCode(connection);
  const kept = key.created
    ? msg`The key is new and shown only once; other keys of the brand still work.`
    : msg`The key is the one that you gave; no other was created.`;
  return [
    ...formatKeyValues([
      [speak(msg`Brand`), brand.name],
      [speak(msg`Address of Kashbox`), connection.url],
      [speak(msg`Brand Key`), connection.brand_key],
      [speak(msg`Webhook secret`), connection.webhook_secret],
      [speak(msg`Webhook URL`), connection.webhook_url ?? '-'],
    ]),
    '',
    ...wrap(
      speak(msg`${kept} Keep key, secret and code on the shop's server, never in an app or page.`),
      width,
    ),
    '',
    ...(await terminalQr(code, coloured)),
    '',
    speak(msg`Connection code, to paste into the settings of the shop's plugin:`),
    '',
    code,
    '',
    ...wrap(visible(speak(webhookText(brand.name, pinged))), width),
  ];
}

function webhookText(brand: string, pinged: PingResult | null): Text {
  if (pinged === null) {
    return msg`The brand has no webhook URL: give the address of the shop with --shop or --webhook-url.`;
  }
  const fault = webhookFault(pinged);
  if (fault === null) return msg`The webhook answers: the shop accepted a signed test.`;
  return msg`The webhook does not work yet. ${fault} Then test it: kashbox webhooks test --brand ${quoted(brand)}`;
}

/** @param url of Kashbox, which is one of this machine alone. */
export function loopbackNote(url: string): Text {
  return msg`Only programs on this machine can reach ${url}. For a shop elsewhere set KASHBOX_PUBLIC_URL, or give --url.`;
}
