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

Published programs and libraries that were written for other gateways of this API family, and how each is used with Kashbox. One word sets all of how it is answered:

\`\`\`sh
kashbox brands update "Amar Dokan" --plugin sohojpay-whmcs
\`\`\`

\`brands create\`, \`merchants create\` and \`setup\` take \`--plugin\` as well. Flags beside it win, for example \`--plugin generic --metadata-as string\`; \`--plugin none\` takes it away. Give the program the Brand Key where it wants an API key. Then point it at Kashbox as its section says, with your own address in the place of \`https://pay.example.com\`.

**Make one payment, cancel one, and send an invented bank reference before you rely on it.** The tests of Kashbox (\`test/clients\`) play each of these programs, with its \`--plugin\` and without any settings, and try: to cancel, to invent a bank slip, to send more money than was asked, and to write the way back or a notification by hand. With its \`--plugin\` they also put the id of another paid order, and of a cheaper one, into the way back and into a notification. None of this got an order booked that was not paid. More than this was not tried.

Not every program looks for which order an id was. The column “an id pays its own order alone” says who sees to that; **without \`--plugin\` Kashbox cannot**, and there a customer who has paid 1 taka once can have any order of such a shop. Where your own code decides, verify by the **session reference** (the end of \`payment_url\`, which you keep with the order), and compare \`amount\` before you deliver: an id that a customer brings along says nothing of the order.

A shop that prices in dollars multiplies by a rate, which leaves parts of a paisa. Kashbox refuses those, and your code rounds; for the programs with “rounded” in the table, which do not round, it rounds half up to whole paisa.

If you do not know what a shop runs, \`kashbox doctor\` and the log of the daemon say when a brand is called by a program of this family that its settings do not fit.

This page is made of \`src/domain/plugins/plugin-table.ts\`.
`;

const LAST = `## A receiver that cannot answer 200

A notification counts as heard when the answer is [200 within 5 seconds](webhooks.md#how-to-answer). Some programs book it and answer something else, most often a redirect. They are told again up to ${numberWord(MAX_TRIES - 1)} times in ${numberWord(RETRY_DAYS)} days, and the notification ends as \`FAILED\` in \`kashbox webhooks list\`, although the order is booked. It does no harm where the program knows what it has booked; sections above name the one that does not.

- Where a section above has a line that mends it, use that line.
- Else let the web server in front of it answer: nginx makes a 200 of a redirect of PHP with \`fastcgi_intercept_errors on; error_page 302 =200 /ok.txt;\` in the location of the receiver.
- A receiver that is slow answers first and works afterwards: in PHP \`fastcgi_finish_request();\` after the 200.
- A program that needs no notifications is best told nothing: leave \`--webhook-url\` empty. An address that it names itself is called all the same, unless its \`--plugin\` says otherwise.
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
    '| `--plugin` | program | `--dialect` `--metadata-as` `--status-as` `--webhook-format` `--return-type` | is told of | an id pays its own order alone | parts of a paisa |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const BOUND_BY: Readonly<Record<Plugin['binds'], string>> = {
  program: 'the program sees to it',
  notification: 'Kashbox, by the notification',
  success_url: 'Kashbox, by the way back',
  shop: 'your code must see to it',
};

function sourceText(source: string): string {
  return `Source: ${source.startsWith('https://') ? `<${source}>` : source}.`;
}

function extrasText({ returnNames, signatures }: Plugin): string[] {
  const names = returnNames.map(code).join(', ');
  return [
    ...(returnNames.length === 0 ? [] : [`Customers come back with ${names} beside \`transactionId\`.`]),
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
    `To point it at Kashbox: ${/[.)]$/.test(host) ? host : `${host}.`}`,
    ...(extras === '' ? [] : [extras]),
    bindingText(plugin).replace(/\b(success_url|COMPLETED)\b/g, '`$1`'),
    ...(remarks === '' ? [] : [`Mind: ${remarks}`]),
    `Tried: ${tried}`,
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
