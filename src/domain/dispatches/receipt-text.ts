/** SMS receipt for a payer. Does not know the recipient or how it is sent. */
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { measureText } from './dispatch-text.js';

/** Receipt settings of a brand: off, or the language of the receipts. */
export const RECEIPT_SMS = ['off', 'bn', 'en'] as const;
export type ReceiptSms = (typeof RECEIPT_SMS)[number];

interface Receipt {
  readonly brand: string;
  /** All that was paid. */
  readonly paisa: Paisa;
  /** Rest of the order that is due on delivery; 0 for none. */
  readonly deliveryPaisa: Paisa;
  /** Name of the payment method in the language of the text. */
  readonly method: string;
  /** Label of its ids, such as `TrxID`. */
  readonly idName: string;
  readonly reference: string;
  readonly paymentNo: string;
}

/** One part in English, which has to be of the GSM alphabet; Bangla has 67 letters a part. */
const MOST_PARTS = { en: 1, bn: 2 };
const BENGALI_ZERO = 0x09e6;

/**
 * @returns the text. A brand's name that does not fit is cut, and left out where its letters would make
 *   several SMS of an English text.
 */
export function receiptText(language: Exclude<ReceiptSms, 'off'>, receipt: Receipt): string {
  const letters = [...receipt.brand];
  const bare = textOf[language]({ ...receipt, brand: '' });
  for (let length = letters.length; length > 0; length -= 1) {
    const brand = `${letters.slice(0, length).join('').trim()}: `;
    const text = textOf[language]({ ...receipt, brand });
    const measured = measureText(text);
    const fits = measured !== null && measured.parts <= MOST_PARTS[language];
    if (fits && (language === 'bn' || measured.encoding === 'GSM-7')) return text;
  }
  return bare;
}

/** `brand` with what follows it. */
const textOf = {
  en: ({ brand, paisa, deliveryPaisa, method, idName, reference, paymentNo }: Receipt) =>
    `${brand}Tk ${formatTaka(paisa)} received by ${method}. ${idName} ${reference}. Payment no. ${paymentNo}.` +
    (deliveryPaisa === 0 ? '' : ` Tk ${formatTaka(deliveryPaisa)} due on delivery.`),
  bn: ({ brand, paisa, deliveryPaisa, method, idName, reference, paymentNo }: Receipt) =>
    `${brand}${method} থেকে ${bengali(formatTaka(paisa))} টাকা পাওয়া গেছে। ${idName} ${reference}। পেমেন্ট নং ${paymentNo}।` +
    (deliveryPaisa === 0 ? '' : ` ডেলিভারির সময় ${bengali(formatTaka(deliveryPaisa))} টাকা।`),
};

const bengali = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(BENGALI_ZERO + Number(digit)));
