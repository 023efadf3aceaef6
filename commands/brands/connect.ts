/** `kashbox brands connect` */
import { boolean } from '@oclif/core/flags';
import { connectBrand } from '../../src/actions/brands/connect-brand.js';
import { pingWebhook } from '../../src/actions/notifications/notifications.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { refusePlace } from '../../src/base/io/new-file.js';
import { translate } from '../../src/base/values/msg.js';
import { echoed } from '../../src/base/values/text.js';
import { command } from '../../src/cli/command/define.js';
import { oneId, text } from '../../src/cli/command/flags.js';
import { codeFlags, linkBase, savePng } from '../../src/cli/command/link-code.js';
import { httpsBase, isLoopback } from '../../src/cli/input/daemon-address.js';
import { loadSecret } from '../../src/cli/input/secrets.js';
import { langFlag, loadLocalizer } from '../../src/cli/language/language.js';
import { connectionCode, connectionSheet, loopbackNote } from '../../src/cli/text/connection-text.js';
import { webhookFault } from '../../src/cli/text/webhook-fault.js';
import { createSender } from '../../src/notify/send.js';

/** As `webhooks test` has it. */
const EXIT_NOT_DELIVERED = 4;

export default command({
  summary: 'Connect a shop: address, key, secret, webhook.',
  description:
    'Prints what the shop needs, and the same as one connection code to paste into its plugin, and as a QR code. ' +
    'It creates one more Brand Key, which is shown once; the keys that the brand has still work. Then it sends a ' +
    'signed test notification to the webhook, as "webhooks test" does, and says what is wrong. A shop that does ' +
    'not have the code yet may refuse it. Exit code 4: the shop did not take it.',
  doing: 'Checking',
  examples: [
    '$ "Amar Dokan" --shop https://shop.example.com',
    '$ "Amar Dokan" --webhook-url https://shop.example.com/kashbox --json',
    '$ "Amar Dokan" --url https://pay.example.com --qr-png code.png',
    '$ "Amar Dokan" --key-stdin < key.txt',
  ],
  args: { brand: oneId('Brand ID or name.') },
  flags: {
    shop: text('URL', "Address of a WooCommerce shop with Kashbox's plugin; sets the webhook URL.", {
      exclusive: ['webhook-url'],
    }),
    'webhook-url': text('URL', 'Webhook URL of any other shop.'),
    url: text('URL', 'https address of Kashbox as the shop sees it (default: KASHBOX_PUBLIC_URL).'),
    'key-stdin': boolean({ description: 'Read an existing Brand Key from stdin instead of creating one.' }),
    ...codeFlags,
    lang: langFlag(),
  },
  async run({ cli, args, flags }) {
    const { speak } = await loadLocalizer(flags.lang, process.env);
    const { qrPng: png, force } = flags;
    const webhookUrl = flags.shop === undefined ? flags.webhookUrl : woocommerceWebhook(flags.shop);
    const given = flags.url === undefined ? undefined : httpsBase(flags.url);
    if (png !== undefined) refusePlace(png, force);
    const key = flags.keyStdin
      ? await loadSecret({ kind: 'key', isPiped: true, input: process.stdin, env: process.env })
      : undefined;
    const core = await cli.core();
    const connected = await connectBrand(core, { brand: args.brand, key, webhookUrl, who: cli.who });
    const about = { ...connected, url: given ?? linkBase(core) };
    const code = connectionCode(about);
    if (png !== undefined) await savePng(core, code, png, force);
    const { id } = connected.brand;
    const hasWebhook = connected.webhook_url !== null;
    const pinged = hasWebhook ? await pingWebhook(core, createSender({}), { brand: id, who: cli.who }) : null;
    const fault = pinged === null ? null : webhookFault(pinged);
    const check = pinged === null ? null : { ...pinged, fault: fault === null ? null : translate(fault) };
    const screen = { width: cli.width, coloured: process.stdout.isTTY, speak };
    const lines = flags.json ? [] : await connectionSheet({ ...about, pinged }, screen);
    cli.show({ ...about, code, check }, flags, () => lines);
    if (png !== undefined) cli.note(`The QR code is in ${png}.`);
    if (isLoopback(about.url)) cli.note(speak(loopbackNote(about.url)));
    if (fault !== null) process.exitCode = EXIT_NOT_DELIVERED;
  },
});

/** Query of the address at which WooCommerce passes a request to Kashbox's plugin (clients/woocommerce). */
const WOOCOMMERCE_QUERY = '?wc-api=kashbox';

/** @param shop its address, also without https://. @throws KashboxError `invalid_input` */
function woocommerceWebhook(shop: string): string {
  const written = /^https?:\/\//i.test(shop.trim()) ? shop.trim() : `https://${shop.trim()}`;
  const url = URL.canParse(written) ? new URL(written) : null;
  if (url === null || url.search !== '' || url.hash !== '') {
    refuse(
      `shop "${echoed(shop)}" is not the address of a WooCommerce shop`,
      'Write it as https://shop.example.com; for any other webhook give its address by --webhook-url.',
    );
  }
  return `${url.href.replace(/\/+$/, '')}/${WOOCOMMERCE_QUERY}`;
}
