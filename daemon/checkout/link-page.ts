/** Page of a payment link as HTML: what is paid for, the seller's own fields, and a button. */
import type { Link, LinkFormErrors } from '../../src/actions/links/open-link-payment.js';
import type { Paisa } from '../../src/base/values/money.js';
import { hasFixedAmount, type LinkField, type LinkState, MAX_VALUE } from '../../src/domain/links/link.js';
import { parseQuantity, QUANTITY } from '../../src/domain/links/quantity.js';
import { LINK_ASSETS, render, SCRIPT } from './assets.js';
import type { CardContent } from './card.js';
import { helpContext, renderDocument, TEXTS } from './document.js';
import { digits, formatDelivery, formatTakaLocalized } from './figures.js';
import { brandStyle, buildPreview, cardImage, type PreviewImage, shopContext } from './look.js';
import type { Language } from './page.js';
import type { Texts } from './texts/en.js';

/** Maximum length of a typed amount; no valid amount is that long. */
const MAX_AMOUNT = 20;
/** Likewise for a quantity. */
const MAX_QUANTITY_DIGITS = 6;

/** Name of a link's field in the form; the form's own names have no colon. */
export const entryName = (field: string) => `f:${field}`;

/** Autocompletion and keyboard for fields with common names. */
const KNOWN: Readonly<Partial<Record<string, Pick<Entry, 'autocomplete' | 'keyboard'>>>> = {
  name: { autocomplete: 'name', keyboard: null },
  email: { autocomplete: 'email', keyboard: 'email' },
  phone: { autocomplete: 'tel', keyboard: 'tel' },
  mobile: { autocomplete: 'tel', keyboard: 'tel' },
  address: { autocomplete: 'street-address', keyboard: null },
};

export interface LinkPage {
  readonly language: Language;
  readonly link: Link;
  /** Path below which all addresses of the daemon are; empty or without a slash at its end. */
  readonly base: string;
  /** Path of this page, without a query; its form posts there. */
  readonly path: string;
  /** Scheme and host of the addresses that are shown in previews; null where no setting says it. */
  readonly origin: string | null;
  readonly token: string;
  /** Values that are shown again in the fields. */
  readonly typed: {
    readonly amount: string;
    readonly quantity: string;
    readonly values: ReadonlyMap<string, string>;
  };
  /** Null if nothing was sent yet, or the input is valid. */
  readonly faults: LinkFormErrors | null;
  /** True if the form's token does not match: the page was open too long, or the browser sent no cookie. */
  readonly isStale: boolean;
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly typed: string;
  readonly hint: string | null;
  readonly problem: string | null;
  readonly isRequired: boolean;
  readonly maxLength: number;
  readonly keyboard: 'decimal' | 'numeric' | 'email' | 'tel' | null;
  /** Null leaves it to the browser, which then also remembers typed values. */
  readonly autocomplete: string | null;
  /** Texts of the buttons next to a quantity; null for all other fields. */
  readonly steps: { readonly less: string; readonly more: string } | null;
  /** Amounts below the field, as they are typed and as they are shown. */
  readonly chips: readonly { readonly typed: string; readonly shown: string }[];
}

/** @returns a complete HTML document. */
export function renderLink(page: LinkPage): string {
  const { link, path } = page;
  const t = TEXTS[page.language];
  const entries = [
    ...amountEntry(page, t),
    ...quantityEntry(page, t),
    ...link.fields.map((field) => fieldEntry(page, t, field)),
  ];
  const first = entries.find(({ problem }) => problem !== null);
  const body = render('link', {
    ...headOf(page, t),
    t,
    path,
    token: page.token,
    amount: hasFixedAmount(link) ? formatShort(t, link.minPaisa) : null,
    notes: [
      formatDelivery(t, { amountPaisa: link.minPaisa, deliveryPaisa: link.deliveryPaisa }),
      link.takesParts ? t.parts.may : null,
    ].filter((note) => note !== null),
    amountLabel: labelOf(link, t),
    sum: sumContext(page, t),
    problem: problemOf(page, t, first),
    entries: entries.map((entry) => ({ ...entry, hasFocus: entry === first })),
    statement: null,
  });
  return linkDocument(page, t, titleOf(link, t), body);
}

/** Formats an amount as `৳ 4,500`, with its decimals only if it has some. */
function formatShort(t: Texts, paisa: Paisa): string {
  return formatTakaLocalized(t, paisa).replace(/\.(00|০০)$/, '');
}

/** Amount for chats and cards; null where the customer chooses it. */
function amountOf(link: Link, t: Texts): string | null {
  if (!hasFixedAmount(link)) return null;
  const amount = formatShort(t, link.minPaisa);
  return link.deliveryPaisa > 0 ? `${t.advance.label} ${amount}` : amount;
}

function labelOf({ maxQuantity, deliveryPaisa }: Link, t: Texts): string {
  if (deliveryPaisa > 0) return t.advance.toPay;
  return maxQuantity === null ? t.toPay : t.link.each;
}

/** @returns the texts of a link's preview card. */
export function linkCard(link: Link, language: Language): Pick<CardContent, 'title' | 'amount' | 'shop'> {
  const t = TEXTS[language];
  const { title, brand } = link;
  return { title: title || t.previewTitle(brand.name), amount: amountOf(link, t), shop: brand.name };
}

/** The sum on the button and, with a choice of quantity, above it; the script keeps it up to date. */
function sumContext({ link, typed }: LinkPage, t: Texts) {
  const each = hasFixedAmount(link) ? formatShort(t, link.minPaisa) : null;
  const read = parseQuantity(link.maxQuantity, typed.quantity);
  const pieces = read.ok ? read.pieces : 1;
  const total = each === null ? null : formatShort(t, link.minPaisa * pieces);
  return {
    go: t.link.go(total),
    /** Text of the button with `{}` for the sum, and without a sum. */
    goFor: t.link.go('{}'),
    goPlain: t.link.go(null),
    least: link.minPaisa,
    most: link.maxPaisa,
    maxQuantity: link.maxQuantity,
    total: link.maxQuantity === null ? null : `${digits(t, String(pieces))} × ${each} = ${total}`,
  };
}

type Head = Pick<LinkPage, 'link' | 'base' | 'path' | 'origin'>;

function linkDocument({ link, base, path, origin }: Head, t: Texts, title: string, body: string): string {
  const { brand, look } = link;
  const text = [amountOf(link, t), link.title, brand.name].filter((part) => part).join(' · ');
  const preview = buildPreview({
    ...{ brand: brand.name, look, base, origin, text, path },
    title: link.title || t.previewTitle(brand.name),
    image: linkImage(link, base) ?? cardImage(path, t.language),
  });
  const otherLanguagePath = languagePath(path, t);
  return renderDocument({
    t,
    title,
    otherLanguagePath,
    look: brandStyle(look),
    preview,
    script: SCRIPT,
    own: LINK_ASSETS,
    body,
  });
}

function linkImage({ image }: Link, base: string): PreviewImage | null {
  return image === null ? null : { ...image, path: `${base}/api/picture/${image.file}` };
}

/** @param page.state reason why the link accepts no payment. @returns a complete HTML document. */
export function renderClosedLink(
  page: Pick<LinkPage, 'language'> &
    Head & {
      readonly state: Exclude<LinkState, 'ACTIVE'>;
    },
): string {
  const { link, path, state } = page;
  const t = TEXTS[page.language];
  const statement = t.link.closed[state];
  const body = render('link', {
    ...headOf(page, t),
    t,
    path,
    amount: null,
    sum: null,
    problem: null,
    statement,
  });
  return linkDocument(page, t, `${statement.title} · ${link.brand.name}`, body);
}

function headOf({ link, base }: Pick<LinkPage, 'link' | 'base'>, t: Texts) {
  const { brand, look, title } = link;
  return {
    shop: shopContext(brand.name, look, base, t.youPay),
    about: title,
    description: link.description,
    image: linkImage(link, base),
    /** Text for those who do not see the picture. */
    alt: title || brand.name,
    help: helpContext(brand, encodeURIComponent(title)),
  };
}

function titleOf({ brand, title }: Link, t: Texts): string {
  return title === '' ? t.title(brand.name) : `${title} · ${brand.name}`;
}

function languagePath(path: string, t: Texts): string {
  return `${path}?lang=${t.other.language}`;
}

function problemOf({ isStale }: LinkPage, t: Texts, first: Entry | undefined) {
  if (isStale) return { text: t.problems.stale_form, href: null };
  return first === undefined ? null : { text: t.link.problem, href: `#${first.id}` };
}

function amountEntry({ link, typed, faults }: LinkPage, t: Texts): Entry[] {
  if (hasFixedAmount(link)) return [];
  const limits = [formatShort(t, link.minPaisa), formatShort(t, link.maxPaisa)] as const;
  const fault = faults?.amount ?? null;
  return [
    {
      id: 'amount',
      name: 'amount',
      label: t.link.amount,
      typed: typed.amount,
      hint: t.link.amountHint(...limits),
      problem: fault === null ? null : t.link.amountFaults[fault](...limits),
      isRequired: true,
      maxLength: MAX_AMOUNT,
      keyboard: 'decimal',
      autocomplete: null,
      steps: null,
      chips: link.suggested.map((paisa) => {
        const shown = formatShort(t, paisa);
        return { typed: shown.replace('৳ ', ''), shown };
      }),
    },
  ];
}

function quantityEntry({ link, typed, faults }: LinkPage, t: Texts): Entry[] {
  if (link.maxQuantity === null) return [];
  const most = digits(t, String(link.maxQuantity));
  const fault = faults?.quantity ?? null;
  return [
    {
      ...{ id: QUANTITY.name, name: QUANTITY.name, label: t.link.quantity, typed: typed.quantity },
      hint: t.link.quantityHint(most, formatShort(t, link.minPaisa)),
      problem: fault === null ? null : t.link.quantityFaults[fault](most),
      // Empty is one piece: so the browser brings back what was typed, as in every other field.
      isRequired: false,
      maxLength: MAX_QUANTITY_DIGITS,
      keyboard: 'numeric',
      autocomplete: 'off',
      steps: { less: t.link.less, more: t.link.more },
      chips: [],
    },
  ];
}

function fieldEntry({ typed, faults }: LinkPage, t: Texts, field: LinkField): Entry {
  const fault = faults?.fields.get(field.name);
  return {
    id: `f-${field.name}`,
    name: entryName(field.name),
    label: field.isRequired ? field.label : t.link.optional(field.label),
    typed: typed.values.get(field.name) ?? '',
    hint: null,
    problem: fault === undefined ? null : t.link.valueFaults[fault],
    isRequired: field.isRequired,
    maxLength: MAX_VALUE,
    steps: null,
    chips: [],
    ...((Object.hasOwn(KNOWN, field.name) && KNOWN[field.name]) || { autocomplete: null, keyboard: null }),
  };
}
