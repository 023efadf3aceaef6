/** Formats payment links as lines of text. */
import { pictureText } from '../../actions/brands/brand-view.js';
import type { SheetEntry } from '../../actions/input/view.js';
import type { LinkView, NewLink } from '../../actions/links/links.js';
import { minute } from '../../base/values/clock.js';
import { terminalQr } from './qr.js';
import { formatKeyValues } from './table.js';

/** `500.00`, or `100.00 to 5000.00` where the customer chooses. */
export function linkAmount({ amount, min, max }: LinkView): string {
  return amount ?? `${min} to ${max}`;
}

/** `3 of 10`, or `3` of a link that can be paid any number of times. */
export function linkPaid({ paid, count }: LinkView): string {
  return count === null ? String(paid) : `${paid} of ${count}`;
}

export function linkSheet(view: NewLink): string[] {
  const { display, display_url: address } = view;
  return formatKeyValues([
    display
      ? ['Display', address ?? 'its address was shown once; --new-display makes another']
      : ['Link', view.url],
    ['Id', view.id],
    ['Brand', view.brand],
    ['Title', view.title === '' ? null : view.title],
    ['Description', view.description === '' ? null : view.description.replaceAll('\n', ' ')],
    ['Image', view.image === null ? null : pictureText(view.image)],
    ['Amount', `${linkAmount(view)} BDT`],
    ['On delivery', view.due_on_delivery === null ? null : `${view.due_on_delivery} BDT`],
    ['Parts', view.parts ? 'may come in parts' : null],
    ['Quantity', view.quantity === null ? null : `1 to ${view.quantity}`],
    ['Suggests', view.suggest.length === 0 ? null : `${view.suggest.join(', ')} BDT`],
    ...view.fields.map(({ name, label, required }): SheetEntry => {
      return ['Field', `${name}: ${label}${required ? ', required' : ''}`];
    }),
    ['State', view.state],
    ['Paid', `${linkPaid(view)}, opened ${view.opened}`],
    ['Until', view.until === null ? null : minute(view.until)],
    ['Created', minute(view.created_at)],
    ['Disabled', view.disabled_at === null ? null : minute(view.disabled_at)],
  ]);
}

/**
 * Formats a link with its QR code, which a display has only while its address is known. The URL is alone on
 * its line, so that it can be copied.
 * @param coloured true if the output is a terminal.
 */
export async function linkSheetWithCode(view: NewLink, coloured: boolean): Promise<string[]> {
  const url = view.display ? view.display_url : view.url;
  return [...linkSheet(view), ...(url === undefined ? [] : ['', ...(await terminalQr(url, coloured))])];
}
