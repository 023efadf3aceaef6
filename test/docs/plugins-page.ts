/**
 * docs/plugins.md, made of the table of shop programs. `node dist/test/docs/plugins-page.js --write` writes
 * it anew; a test holds the page against this.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { numberWord } from '../../src/base/values/text.js';
import { MAX_TRIES, RETRY_DAYS } from '../../src/domain/notifications/notification.js';
import type { Plugin } from '../../src/domain/plugins/plugin-table.js';
import { bindingText, PLUGIN_NAMES, PLUGINS } from '../../src/domain/plugins/plugins.js';

const INTRO = `# Shop programs

This page lists published programs and libraries for other gateways of this API family, and how to use each with Kashbox. For WooCommerce, use [Kashbox's own plugin](woocommerce.md) instead. One flag sets all response formats of a program:

\`\`\`sh
kashbox brands update "Amar Dokan" --plugin sohojpay-whmcs
\`\`\`

\`brands create\`, \`merchants create\` and \`setup\` also accept \`--plugin\`. Other flags in the same command override it, for example \`--plugin generic --metadata-as string\`; \`--plugin none\` removes it. Give the program the Brand Key where it asks for an API key. Then point it to Kashbox as its section says, with your own address instead of \`https://pay.example.com\`.

**Before you rely on it, make one payment, cancel one, and send an invented bank reference.** The tests of Kashbox (\`test/clients\`) simulate each of these programs, with its \`--plugin\` and without any settings. They cancel, invent a bank slip, send more money than requested, and forge the return to the shop and a notification. With its \`--plugin\` they also put the id of another paid order, and of a cheaper one, into the return and into a notification. In no case was an unpaid order booked. Nothing else was tested.

Not every program checks which order an id belongs to. The column “an id pays only its own order” says who ensures that. **Without \`--plugin\` Kashbox cannot ensure it**: a customer who has paid 1 taka once can then get any order of such a shop. If your own code decides, verify by the **session reference** (the end of \`payment_url\`, which you store with the order), and compare \`amount\` before you deliver. An id that a customer sends does not prove which order was paid.

A shop that prices in dollars multiplies by a rate, which leaves fractions of a paisa. Kashbox refuses these, so your code must round. The programs with “rounded” in the table do not round: for them Kashbox rounds half up to whole paisa.

If you do not know which program a shop runs, check \`kashbox doctor\` and the log of the daemon. Both report when a program of this family calls a brand whose settings do not fit it.

This page is generated from \`src/domain/plugins/plugin-table.ts\`.
`;

const LAST = `## A receiver that cannot answer 200

A notification is delivered when the answer is [200 within 5 seconds](webhooks.md#how-to-answer). Some programs book it and answer something else, most often a redirect. Kashbox retries up to ${numberWord(MAX_TRIES - 1)} times in ${numberWord(RETRY_DAYS)} days, and the notification ends as \`FAILED\` in \`kashbox webhooks list\`, although the order is booked. This is harmless if the program knows what it has booked; a section above names the one that does not.

- If a section above has a command that fixes it, use that command.
- Otherwise let the web server in front of it answer: nginx turns a redirect of PHP into a 200 with \`fastcgi_intercept_errors on; error_page 302 =200 /ok.txt;\` in the location of the receiver.
- Make a slow receiver answer first and work afterwards: in PHP call \`fastcgi_finish_request();\` after the 200.
- Do not send notifications to a program that needs none: leave \`--webhook-url\` empty. Kashbox still calls an address that the program itself sends, unless its \`--plugin\` prevents that.
`;

const code = (text: string) => `\`${text}\``;

function eventsText({ events }: Plugin): string {
  if (events === 'all') return 'everything';
  return events.length === 0 ? 'nothing' : events.map(code).join(', ');
}

function settingsText({ dialect, metadataAs, statusAs, webhookFormat, returnType }: Plugin): string {
  return [dialect, metadataAs, statusAs, webhookFormat, returnType].map(code).join(' ');
}

function summary(): string {
  const rows = PLUGIN_NAMES.map((name) => {
    const plugin: Plugin = PLUGINS[name];
    const cells = [`[${code(name)}](#${name})`, plugin.title, settingsText(plugin), eventsText(plugin)];
    cells.push(BOUND_BY[plugin.binds], plugin.rounds ? 'rounded' : 'refused');
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| `--plugin` | program | `--dialect` `--metadata-as` `--status-as` `--webhook-format` `--return-type` | is notified of | an id pays only its own order | fractions of a paisa |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const BOUND_BY: Readonly<Record<Plugin['binds'], string>> = {
  program: 'the program ensures it',
  notification: 'Kashbox, by the notification',
  success_url: 'Kashbox, by the return to the shop',
  shop: 'your code must ensure it',
};

function sourceText(source: string): string {
  return `Source: ${source.startsWith('https://') ? `<${source}>` : source}.`;
}

function extrasText({ returnNames, signatures }: Plugin): string[] {
  const names = returnNames.map(code).join(', ');
  return [
    ...(returnNames.length === 0 ? [] : [`Customers return with ${names} in addition to \`transactionId\`.`]),
    ...(signatures === 'kashbox'
      ? []
      : ['Notifications are also signed as `X-NagorikPay-Timestamp` and `X-NagorikPay-Signature`.']),
  ];
}

function section(name: keyof typeof PLUGINS): string {
  const plugin: Plugin = PLUGINS[name];
  const { title, source, host, tried, remarks } = plugin;
  const extras = extrasText(plugin).join(' ');
  return [
    `## ${name}`,
    `**${title}.** ${sourceText(source)}`,
    `To point it to Kashbox: ${/[.)]$/.test(host) ? host : `${host}.`}`,
    ...(extras === '' ? [] : [extras]),
    bindingText(plugin).replace(/\b(success_url|COMPLETED)\b/g, '`$1`'),
    ...(remarks === '' ? [] : [`Note: ${remarks}`]),
    `Tested: ${tried}`,
    '',
  ].join('\n\n');
}

/** @returns the whole page. */
export function pluginsPage(): string {
  const parts = [INTRO, summary(), ...PLUGIN_NAMES.map(section), LAST];
  return parts.map((part) => `${part.trimEnd()}\n`).join('\n');
}

const PAGE = fileURLToPath(new URL('../../../docs/plugins.md', import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--write')) {
  writeFileSync(PAGE, pluginsPage());
}
