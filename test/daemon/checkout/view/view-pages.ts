/** Facts of a checkout page for the view's tests: a payment of five ways to pay, which each test bends. */

import { SCRIPT } from '../../../../daemon/checkout/assets.js';
import { type CheckoutPage, LANGUAGES, type Language } from '../../../../daemon/checkout/page.js';
import { BN } from '../../../../daemon/checkout/texts/bn.js';
import { EN, type Texts } from '../../../../daemon/checkout/texts/en.js';
import type {
  Checkout,
  CheckoutMethod,
  CheckoutState,
} from '../../../../src/actions/sessions/load-checkout.js';

export const NOW = Date.UTC(2026, 7, 21, 8, 12, 20);
export const PATH = '/api/execute/e21896d8223209df3f7fe8cb5be031fa';
export const TOKEN = 'a-token-of-forty-three-letters-and-digits-00';
export const CLAIMED = 'DH15ABC1K9';
export const PAID = 'DH15ABC1K8';
export const CUSTOMER = 'Customer of the shop';

export const STATES: readonly CheckoutState[] = [
  'open',
  'waiting',
  'review',
  'completed',
  'cancelled',
  'expired',
  'rejected',
];

export const TEXTS: Readonly<Record<Language, Texts>> = { bn: BN, en: EN };
export const languages = LANGUAGES.map((language) => ({ language, t: TEXTS[language] }));

function wallet(channel: 'mfs_a' | 'mfs_b' | 'mfs_c' | 'mfs_d', feePaisa = 0): CheckoutMethod {
  const accounts = [{ type: 'personal', number: '01711000001', details: {} }];
  return { channel, feePaisa, totalPaisa: 12_345_650 + feePaisa, accounts, usdt: null };
}

export const BANK_METHOD: CheckoutMethod = {
  channel: 'bank',
  feePaisa: 0,
  totalPaisa: 12_345_650,
  usdt: null,
  accounts: [
    {
      type: 'main',
      number: '1234567890123',
      details: { bank_name: 'Shapla Bank', holder: 'Alo Store', branch: 'Dhanmondi', routing: '225261187' },
    },
  ],
};

export const METHODS = [wallet('mfs_a', 925), wallet('mfs_b'), wallet('mfs_c'), wallet('mfs_d'), BANK_METHOD];

/** Everything that a payment can hold, whatever its state: what is shown of it is the view's to decide. */
const CHECKOUT: Checkout = {
  id: 'e21896d8223209df3f7fe8cb5be031fa',
  gatewayReference: 'K7M2QX94TR8A',
  paymentReference: 'K7M4P',
  isTest: false,
  brandId: 'brand',
  merchantId: 'merchant',
  state: 'open',
  brand: { name: 'Alo Store', mobile: '01711000009', whatsapp: '01811000009', email: 'help@alo.example' },
  look: { website: null, colour: null, logo: null, marks: '{}' },
  questions: [],
  video: '',
  cusName: CUSTOMER,
  items: [],
  description: '',
  amountPaisa: 12_345_650,
  takesParts: false,
  parts: [],
  ...{ creditedPaisa: 0, paidPaisa: 0, restPaisa: 12_345_650, deliveryPaisa: 0, refundedPaisa: 0 },
  expiresAt: NOW + 17 * 60_000,
  isSuspended: false,
  methods: METHODS,
  claim: null,
  isAsked: false,
  lacksSlip: false,
  takesSlip: false,
  paid: null,
  takes: [],
  payerGave: [],
  returnNames: [],
  facts: { status: 'PENDING', channel: null, transactionId: 'K7M2QX94TR8A', paidPaisa: 0, feePaisa: 0 },
  addresses: { successUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/no' },
  returnMethod: 'GET',
  link: null,
};

/** Nothing can be claimed on these. */
const CLOSED: readonly CheckoutState[] = ['completed', 'rejected'];

/** A page of that state as `readCheckout` would give it: claimed unless open, paid when completed. */
export function pageOf(
  state: CheckoutState,
  page: Partial<CheckoutPage> = {},
  checkout: Partial<Checkout> = {},
): CheckoutPage {
  const isWaiting = state === 'waiting';
  const channel = 'mfs_a';
  const claim =
    state === 'open'
      ? null
      : ({ channel, reference: CLAIMED, at: NOW, isWaiting, refusedFor: null, camePaisa: null } as const);
  const sums = { paidPaisa: 12_345_650, feePaisa: 925 };
  const paid = { channel, reference: PAID, ...sums, recipient: '01711000001', at: NOW } as const;
  return {
    language: 'bn',
    checkout: {
      ...CHECKOUT,
      state,
      methods: CLOSED.includes(state) ? [] : METHODS,
      claim,
      paid: state === 'completed' ? paid : null,
      ...checkout,
    },
    isPayer: false,
    isFresh: false,
    isLate: false,
    token: TOKEN,
    problem: null,
    now: NOW,
    base: '',
    origin: null,
    path: PATH,
    back: { method: 'GET', url: 'https://shop.example/ok?o=7&status=pending' },
    ...page,
  };
}

/** What a text looks like inside the HTML. */
export function escaped(text: string): string {
  const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (sign) => signs[sign] ?? '').replace(/'/g, '&#39;');
}

/** The card of a channel, from its opening tag to the next card or the end of the list. */
export function cardOf(html: string, channel: string): string {
  const from = html.indexOf(`<details class="card ${channel}"`);
  if (from < 0) return '';
  const next = html.indexOf('<details class="card ', from + 1);
  const end = html.indexOf('</section>', from);
  return html.slice(from, next < 0 || next > end ? end : next);
}

/** The page's own script holds names that stand for something only in its markup. */
export const withoutScript = (html: string) => html.replace(SCRIPT, '');

/** What a reader sees: without tags, attributes, style and script. */
export function visible(html: string): string {
  return withoutScript(html)
    .replace(/<style>.*?<\/style>|<head>.*?<\/head>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** Headings of a page, without what is not said yet. */
export const headings = (html: string) =>
  [...html.matchAll(/<h2 [^>]*>(.*?)<\/h2>/g)].map(([, inside = '']) =>
    inside.replace(/<span [^>]*hidden>.*?<\/span>/g, '').replace(/<\/?span[^>]*>/g, ''),
  );
