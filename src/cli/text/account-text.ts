/** What an operator is told beside an account. Pure. */
import type { SetAccountView } from '../../actions/accounts/set-account.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { minute } from './sheets.js';

/** @returns a line for an account that was replaced while customers still see it; none otherwise. */
export function replacedText({ channel, replaced }: SetAccountView): string[] {
  if (replaced === null || replaced.open_payments === 0) return [];
  const { number, open_payments: count, until } = replaced;
  const payments = count === 1 ? '1 open payment still shows' : `${count} open payments still show`;
  const sim = CHANNEL[channel].kind === 'sms' ? ' Leave its SIM in the phone until then.' : '';
  return [
    `Note: ${payments} ${number}, until ${minute(until)}. Money that arrives there counts for them.${sim}`,
  ];
}
