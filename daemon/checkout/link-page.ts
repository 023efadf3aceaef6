/** Page of a payment link as HTML: what is paid for, the seller's own fields, and a button. */
import type { Link, LinkFormErrors } from '../../src/actions/links/open-link-payment.js';
import { hasFixedAmount, type LinkField, type LinkState, MAX_VALUE } from '../../src/domain/links/link.js';
import { render, SCRIPT } from './assets.js';
import { helpContext, renderDocument, TEXTS } from './document.js';
import { formatTakaLocalized } from './figures.js';
import { brandStyle, buildPreview, shopContext } from './look.js';
import type { Language } from './page.js';
import type { Texts } from './texts/en.js';

/** Maximum length of a typed amount; no valid amount is that long. */
const MAX_AMOUNT = 20;

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
  /** Scheme and host under which customers reach this service, for link previews. */
  readonly origin: string;
  readonly token: string;
  /** Values that are shown again in the fields. */
  readonly typed: { readonly amount: string; readonly values: ReadonlyMap<string, string> };
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
  readonly keyboard: 'decimal' | 'email' | 'tel' | null;
  /** Null leaves it to the browser, which then also remembers typed values. */
  readonly autocomplete: string | null;
}

/** @returns a complete HTML document. */
export function renderLink(page: LinkPage): string {
  const { link, path } = page;
  const t = TEXTS[page.language];
  const entries = [...amountEntry(page, t), ...link.fields.map((field) => fieldEntry(page, t, field))];
  const first = entries.find(({ problem }) => problem !== null);
  const body = render('link', {
    ...headOf(page, t),
    t,
    path,
    token: page.token,
    amount: amountOf(link, t),
    go: t.link.go(amountOf(link, t)),
    problem: problemOf(page, t, first),
    entries: entries.map((entry) => ({ ...entry, hasFocus: entry === first })),
    statement: null,
  });
  return linkDocument(page, t, titleOf(link, t), body);
}

const amountOf = (link: Link, t: Texts) =>
  hasFixedAmount(link) ? formatTakaLocalized(t, link.minPaisa) : null;

type Head = Pick<LinkPage, 'link' | 'base' | 'path' | 'origin'>;

function linkDocument({ link, base, path, origin }: Head, t: Texts, title: string, body: string): string {
  const { brand, look } = link;
  const text = [amountOf(link, t), link.title, brand.name].filter((part) => part).join(' · ');
  const preview = buildPreview({
    ...{ brand: brand.name, look, base, origin, text },
    title: link.title === '' ? t.previewTitle(brand.name) : link.title,
    url: `${origin}${path}`,
  });
  const otherLanguagePath = languagePath(path, t);
  return renderDocument({
    t,
    title,
    otherLanguagePath,
    look: brandStyle(look),
    preview,
    script: SCRIPT,
    body,
  });
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
  const body = render('link', { ...headOf(page, t), t, path, amount: null, problem: null, statement });
  return linkDocument(page, t, `${statement.title} · ${link.brand.name}`, body);
}

function headOf({ link, base }: Pick<LinkPage, 'link' | 'base'>, t: Texts) {
  const { brand, look, title } = link;
  return {
    shop: shopContext(brand.name, look, base, t.youPay),
    about: title,
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
  const limits = [formatTakaLocalized(t, link.minPaisa), formatTakaLocalized(t, link.maxPaisa)] as const;
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
    ...((Object.hasOwn(KNOWN, field.name) && KNOWN[field.name]) || { autocomplete: null, keyboard: null }),
  };
}
