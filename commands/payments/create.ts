/** `kashbox payments create` */
import { brandContext } from '../../src/actions/brands/brand-context.js';
import {
  advanceField,
  descriptionField,
  emailField,
  itemsField,
  metaDataField,
  nameField,
  takaField,
} from '../../src/actions/input/fields.js';
import { type CreatedSession, createSession } from '../../src/actions/sessions/create-session.js';
import { KashboxError } from '../../src/base/errors/errors.js';
import { dhakaIso } from '../../src/base/values/clock.js';
import { echoed } from '../../src/base/values/text.js';
import { partsFlag } from '../../src/cli/command/brand-flags.js';
import { command } from '../../src/cli/command/define.js';
import { needed, neededBrand, repeated, text } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default command({
  summary: 'Create a payment.',
  description:
    'Prints the payment page. When the customer has paid, confirm the payment with "kashbox payments ' +
    'verify".',
  examples: [
    '$ --brand "Amar Dokan" --name Rahima --amount 500',
    `$ --brand "Amar Dokan" --name Rahima --amount 99.50 --meta '{"order":17}'`,
    '$ --brand "Amar Dokan" --name Rahima --amount 1000 --advance 200',
    "$ --brand 1 --name Rahima --amount 560 --item 'Shirt;2;250' --item 'Delivery;1;60'",
  ],
  flags: {
    brand: neededBrand,
    name: needed('NAME', 'Name of the customer.'),
    email: text('ADDRESS', 'E-mail address of the customer.'),
    amount: needed('TAKA', 'Taka in plain digits, such as 500 or 99.50.', 'digits'),
    advance: text('TAKA', 'Part of the amount that is paid now; the rest is due on delivery.', {
      kind: 'digits',
    }),
    parts: partsFlag('Whether it may come in parts (default: as the brand has it).'),
    description: text('TEXT', 'What the customer pays for; shown on the payment page.'),
    item: repeated('NAME;QUANTITY;PRICE', 'Order line; the lines add up to the amount.'),
    meta: text('JSON', 'JSON object to store with the payment.'),
  },
  async run({ cli, flags }) {
    const orderPaisa = takaField(flags.amount);
    const advance = advanceField(orderPaisa, flags.advance);
    const metaJson = metaDataField(flags.meta);
    const items = itemsField(flags.item?.map(lineOf), orderPaisa, 0);
    const description = descriptionField(flags.description ?? '');
    const core = await cli.core();
    const session = await createSession(core, {
      brand: await brandContext(core, flags.brand),
      hosted: null,
      cusName: nameField('name', flags.name),
      cusEmail: emailField('email', flags.email ?? ''),
      ...advance,
      takesParts: flags.parts === undefined ? undefined : flags.parts === 'on',
      metaJson,
      items,
      description,
    });
    cli.show(sessionView(session), flags, (view) =>
      formatKeyValues([
        ['Payment', view.gateway_reference],
        ['Id', view.id],
        ['Reference', view.payment_reference],
        ['Expires', view.expires_at.slice(0, 16).replace('T', ' ')],
        ...session.methods.flatMap(paymentOptions),
        [
          'Next',
          `kashbox payments verify ${view.gateway_reference} --channel ${methodOf(session)} --transaction-id ID`,
        ],
      ]),
    );
  },
});

/** @returns the order line of `Shirt;2;250`. @throws KashboxError `invalid_input` */
function lineOf(typed: string) {
  const [, name, quantity, price] = /^(.*);([^;]*);([^;]*)$/s.exec(typed) ?? [];
  if (price !== undefined) return { name, quantity, price };
  throw new KashboxError('invalid_input', {
    message: `--item "${echoed(typed)}" is not NAME;QUANTITY;PRICE`,
    hint: "Write it in quotes: --item 'Shirt;2;250'.",
  });
}

function sessionView(session: CreatedSession) {
  return {
    id: session.id,
    gateway_reference: session.gatewayReference,
    payment_reference: session.paymentReference,
    brand: session.brand,
    methods: session.methods,
    expires_at: dhakaIso(session.expiresAt),
  };
}

function methodOf({ methods }: CreatedSession): string {
  return methods[0]?.name ?? 'mfs_a';
}

/** `Pay to  mfs_a personal 01712345678`, one line an active account, and one for the QR code of a wallet. */
function paymentOptions(method: CreatedSession['methods'][number]): [string, string][] {
  const { receiver_address: address, qr_image: picture, qr_payload: payload, amount_usdt: usdt } = method;
  const accounts = Object.entries(method.active_payments)
    .filter(([, active]) => active)
    .map(([type]): [string, string] => {
      const place = method[type] ?? address ?? picture ?? '';
      return [
        'Pay to',
        `${method.name} ${type} ${String(place)}${usdt === undefined ? '' : `: ${usdt} USDT`}`,
      ];
    });
  return payload === undefined ? accounts : [...accounts, ['Bangla QR', `${method.name} ${String(picture)}`]];
}
