/** Acquirers as text for people, above all what the bank needs. */
import type { AcquirerView, CreatedAcquirer } from '../../actions/acquirers/acquirers.js';
import { formatKeyValues } from './table.js';

export function acquirerSheet(view: AcquirerView): string[] {
  return formatKeyValues([
    ['Acquirer', view.name],
    ['Id', view.id],
    ['Merchant', view.merchant],
    ['Status', view.status],
    ['Key', view.key_hint],
    ['Authentication', authText(view)],
    ['Allowed IPs', view.allow_ips.length === 0 ? 'any' : view.allow_ips.join(' ')],
    ['Reads', fieldsText(view)],
  ]);
}

export function createdAcquirerSheet({ acquirer, acquirer_key, secret }: CreatedAcquirer): string[] {
  return [
    ...acquirerSheet(acquirer),
    ...formatKeyValues([
      ['ACQUIRER-KEY', acquirer_key],
      ['Secret', secret],
    ]),
    '',
    'Key and secret are shown only now. Give them to the bank, with the address that it must call:',
    '  POST https://YOUR-DAEMON/api/v2/acquirer/push',
  ];
}

function authText({ auth, signature }: AcquirerView): string {
  switch (auth) {
    case 'hmac':
      return `HMAC-SHA256 of the body in ${signature?.header ?? ''}, ${signature?.prefix ?? ''}${signature?.encoding ?? ''}`;
    case 'basic':
      return 'key and secret as user name and password';
    case 'ip':
      return 'its IP address only';
    default:
      return auth satisfies never;
  }
}

function fieldsText({ map }: AcquirerView): string {
  const { reference, amount, amount_unit, payer, bill } = map;
  const others = [payer, bill].filter((field) => field !== null);
  return [reference, `${amount} in ${amount_unit}`, ...others].join(', ');
}
