/**
 * The cached template of the page of an open payment: rendered and compressed once for all customers of a
 * shop, with placeholders (holes) into which each payment's figures are set. Most customers open this page,
 * many at the same time; all other pages are rendered and compressed one by one.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { CHANNEL, type PayChannel } from '../../src/domain/accounts/channels.js';
import {
  type Figures,
  type Gap,
  HOLES,
  hasPlaceholder,
  NOTHING_DUE,
  type Reader,
  splitAtPlaceholders,
} from './figures.js';
import type { CheckoutPage } from './page.js';
import { checkoutFigures, renderFilled } from './view.js';

/** Shops times languages; one takes about 40 KiB. */
const MAX_TEMPLATES = 200;
/** RFC 1952: deflate, no name, no time, Unix. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
/** RFC 1951, 3.2.4: what stands before bytes that are not compressed, with their length twice in it. */
const STORED_HEADER = 5;
/** RFC 1951, 3.2.6: an empty block that says it is the last. */
const LAST_BLOCK = 0x0003;
/** That block, then checksum and length. */
const GZIP_END = 10;

/** A byte that no page contains; it reserves space for a figure of fixed length. */
const PADDING = 0x01;
/** How far deflate looks back. */
const WINDOW = 32 * 1024;

/** A piece of the page's beginning, where figures of any length stand. */
interface Piece {
  readonly bytes: Buffer;
  /** Ends on a whole byte, so that another piece may follow. */
  readonly deflated: Buffer;
  /** The figure behind it. */
  readonly read: Reader;
}

/** A figure of the rest of the page, where each has the size that the template was made for. */
interface Slot {
  readonly read: Reader;
  readonly size: number;
  /** Where its bytes stand in `page`, and where in `packed`; it may come several times. */
  readonly inPage: number[];
  readonly inPacked: number[];
}

interface CachedTemplate {
  readonly pieces: readonly Piece[];
  /** Checksum of the first piece, which holds the style and so a third of the page. */
  readonly firstCrc: number;
  readonly slots: readonly Slot[];
  /** The rest of the page uncompressed; its slots are overwritten each time before the checksum. */
  readonly page: Buffer;
  /** The same as it is sent: deflated pieces, and stored blocks with empty slots. */
  readonly packed: Buffer;
}

const cachedTemplates = new Map<string, CachedTemplate>();

/** @returns the page as one gzip file, or null for a page that has no cached template. */
export function fillCachedPage(page: CheckoutPage): Buffer | null {
  const { checkout } = page;
  if (checkout.state !== 'open' || page.problem !== null || checkout.claim !== null) return null;
  // The page of a link's payment names what is paid for, which is not the same for the whole shop.
  if (checkout.isSuspended || checkout.link !== null) return null;
  const figures = checkoutFigures(page);
  const key = keyOf(page, figures);
  let template = cachedTemplates.get(key);
  if (template === undefined) {
    // The name contains our placeholder characters, which no keyboard types.
    if (hasPlaceholder(key)) return null;
    template = templateOf(frameOf(page), figures);
    if (cachedTemplates.size >= MAX_TEMPLATES) cachedTemplates.clear();
    cachedTemplates.set(key, template);
  }
  return fill(template, figures);
}

/**
 * All that `frameOf` takes of a page, in one text: JSON would do, at four times the cost. No text in the
 * store has a NUL, a list of accounts is preceded by its length and one of details ends in an empty text, so
 * that two different frames never give the same text. Only the number of digits changes a sum's length, so a
 * shop needs few templates.
 */
function keyOf({ language, checkout }: CheckoutPage, figures: Figures): string {
  const { path, token, paymentNo, paymentReference, amount, due } = figures;
  const { brand, look, cusName, methods } = checkout;
  let key = `${language}\0${checkout.isTest}\0${brand.name}\0${brand.mobile}\0${brand.whatsapp}\0${brand.email}`;
  key += `\0${look.website}\0${look.colour}\0${look.logo}`;
  key += `\0${cusName !== ''} ${path.length} ${token.length} ${paymentNo.length} ${amount.length}`;
  key += ` ${paymentReference.length}`;
  for (const { channel, feePaisa, usdt, accounts } of methods) {
    const { total, copied, fee, taka, rate } = due[channel] ?? NOTHING_DUE;
    key += `\0${channel} ${feePaisa > 0} ${usdt !== null} ${total.length} ${copied.length} ${fee.length}`;
    key += ` ${taka.length} ${rate.length} ${accounts.length}`;
    for (const { type, number, details } of accounts) {
      key += `\0${type}\0${number}`;
      for (const [name, text] of Object.entries(details)) {
        key += `\0${name}=${isOwnCode(channel, name) ? '' : text}`;
      }
      key += '\0';
    }
  }
  return key;
}

/** The code of a payment is as much its own as its sum, and the page shows it as a picture behind a path. */
const isOwnCode = (channel: PayChannel, detail: string) =>
  detail === 'qr' && CHANNEL[channel].kind === 'push';

/**
 * What is the same for all customers of a shop, and all that a template is made from: without any payment,
 * so that a template that knows nothing of one customer shows nothing to another.
 */
function frameOf({ language, checkout, base, origin }: CheckoutPage): CheckoutPage {
  return {
    language,
    checkout: {
      id: '',
      gatewayReference: '',
      paymentReference: checkout.paymentReference === null ? null : '-',
      brandId: '',
      merchantId: '',
      state: 'open',
      brand: checkout.brand,
      isTest: checkout.isTest,
      look: checkout.look,
      cusName: checkout.cusName === '' ? '' : '-',
      amountPaisa: 0,
      expiresAt: 0,
      isSuspended: false,
      methods: checkout.methods.map(({ channel, feePaisa, usdt, accounts }) => ({
        channel,
        feePaisa: feePaisa > 0 ? 1 : 0,
        totalPaisa: 0,
        usdt: usdt === null ? null : { rate: 0, amount: 0 },
        accounts: accounts.map(({ type, number, details }) => ({
          type,
          number,
          details: isOwnCode(channel, 'qr') && details.qr !== undefined ? { ...details, qr: '' } : details,
        })),
      })),
      claim: null,
      isAsked: false,
      lacksSlip: false,
      takesSlip: false,
      paid: null,
      takes: [],
      payerGave: [],
      facts: { status: 'PENDING', channel: null, transactionId: '', paidPaisa: 0, feePaisa: 0 },
      returnNames: [],
      addresses: { successUrl: '', cancelUrl: '' },
      returnMethod: 'GET',
      link: null,
    },
    isPayer: false,
    isFresh: false,
    isLate: false,
    token: '',
    problem: null,
    now: 0,
    base,
    origin,
    path: '',
    back: null,
  };
}

/** @param figures looked at for their sizes alone. */
function templateOf(frame: CheckoutPage, figures: Figures): CachedTemplate {
  const html = renderFilled({ ...frame, figures: HOLES });
  const { texts, gaps } = splitAtPlaceholders(html);
  const begins = gaps.findLastIndex(({ isSized }) => !isSized) + 1;
  const pieces = gaps.slice(0, begins).map(({ read }, at): Piece => {
    const bytes = Buffer.from(texts[at] ?? '');
    return { bytes, deflated: deflated(bytes, Buffer.alloc(0)), read };
  });
  const firstCrc = crc32(pieces[0]?.bytes ?? '');
  return { pieces, firstCrc, ...restOf(texts.slice(begins), gaps.slice(begins), figures) };
}

function restOf(texts: readonly string[], gaps: readonly Gap[], figures: Figures) {
  const slots = new Map<string, Slot>();
  let page = Buffer.alloc(0);
  let packed = Buffer.alloc(0);
  for (const [at, text] of texts.entries()) {
    const bytes = Buffer.from(text);
    packed = Buffer.concat([packed, deflated(bytes, page)]);
    page = Buffer.concat([page, bytes]);
    const gap = gaps[at];
    if (gap === undefined) continue;
    const size = Buffer.byteLength(gap.read(figures));
    const slot = slots.get(gap.name) ?? { read: gap.read, size, inPage: [], inPacked: [] };
    slots.set(gap.name, slot);
    slot.inPage.push(page.length);
    slot.inPacked.push(packed.length + STORED_HEADER);
    page = Buffer.concat([page, Buffer.alloc(size, PADDING)]);
    packed = Buffer.concat([packed, storedHeader(size), Buffer.alloc(size)]);
  }
  return { slots: [...slots.values()], page, packed };
}

function deflated(bytes: Buffer, past: Buffer): Buffer {
  const options = { level: 9, finishFlush: constants.Z_SYNC_FLUSH, dictionary: past.subarray(-WINDOW) };
  return deflateRawSync(bytes, options);
}

/** @param size at most 65,535: names are limited, and the other figures short. */
function storedHeader(size: number): Buffer {
  return Buffer.from([0, size & 0xff, size >> 8, ~size & 0xff, (~size >> 8) & 0xff]);
}

/** @returns null where a figure has another size than the template was made for. */
function fill({ pieces, firstCrc, slots, page, packed }: CachedTemplate, figures: Figures): Buffer | null {
  const parts: Buffer[] = [GZIP_HEADER];
  let checksum = firstCrc;
  let length = page.length;
  for (const [at, { bytes, deflated, read }] of pieces.entries()) {
    if (at > 0) checksum = crc32(bytes, checksum);
    const value = Buffer.from(read(figures));
    checksum = crc32(value, checksum);
    length += bytes.length + value.length;
    parts.push(deflated, storedHeader(value.length), value);
  }
  const head = Buffer.concat(parts);
  const out = Buffer.allocUnsafe(head.length + packed.length + GZIP_END);
  head.copy(out);
  packed.copy(out, head.length);
  for (const { read, size, inPage, inPacked } of slots) {
    const value = Buffer.from(read(figures));
    if (value.length !== size) return null;
    for (const at of inPage) page.set(value, at);
    for (const at of inPacked) out.set(value, head.length + at);
  }
  const end = head.length + packed.length;
  out.writeUInt16LE(LAST_BLOCK, end);
  out.writeUInt32LE(crc32(page, checksum), end + 2);
  out.writeUInt32LE(length, end + 6);
  return out;
}
