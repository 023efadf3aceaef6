/**
 * The cached template of the page of an open payment: rendered and compressed once for all customers of a
 * shop, with placeholders (holes) into which each payment's figures are set. It is the page that most
 * customers open, and the only one that many open at once; every other is rendered and compressed by itself.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { CheckoutAccount, CheckoutMethod } from '../../src/actions/sessions/read-checkout.js';
import { cutAtHoles, type Figures, type Gap, HOLES, hasHole, NOTHING_DUE, type Reader } from './figures.js';
import type { CheckoutPage } from './page.js';
import { checkoutFigures, renderFigured } from './view.js';

/** Shops times languages; one takes about 40 KiB. */
const MAX_PLATES = 200;
/** RFC 1952: deflate, no name, no time, Unix. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
/** RFC 1951, 3.2.4: what stands before bytes that are not compressed, with their length twice in it. */
const STORED_HEADER = 5;
/** RFC 1951, 3.2.6: an empty block that says it is the last. */
const LAST_BLOCK = 0x0003;
/** That block, then checksum and length. */
const GZIP_END = 10;

/** A byte that no page has. It holds the place of a figure whose bytes differ and whose number does not. */
const FILLER = 0x01;
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

interface Plate {
  readonly pieces: readonly Piece[];
  /** Checksum of the first piece, which holds the style and so a third of the page. */
  readonly firstCrc: number;
  readonly slots: readonly Slot[];
  /** The rest of the page as it is read, its slots written over each time before it is summed. */
  readonly page: Buffer;
  /** The same as it is sent: deflated pieces, and stored blocks with empty slots. */
  readonly packed: Buffer;
}

const plates = new Map<string, Plate>();

/** What is the same for all customers of a shop, and all that a template is made from. */
type Frame = Pick<CheckoutPage, 'language' | 'scriptPath'> & {
  readonly brand: CheckoutPage['checkout']['brand'];
  readonly hasCustomer: boolean;
  readonly methods: readonly {
    readonly channel: CheckoutMethod['channel'];
    readonly hasFee: boolean;
    readonly hasQuote: boolean;
    readonly accounts: readonly CheckoutAccount[];
  }[];
};

/** @returns the page as one gzip file, or null for a page that has no cached template. */
export function pressPage(page: CheckoutPage): Buffer | null {
  const { checkout } = page;
  if (checkout.state !== 'open' || page.problem !== null || checkout.claim !== null) return null;
  if (checkout.isSuspended) return null;
  const frame = frameOf(page);
  const figures = checkoutFigures(page);
  const key = keyOf(frame, figures);
  let plate = plates.get(key);
  if (plate === undefined) {
    // A name in which somebody wrote our own marks; nobody types them.
    if (hasHole(key)) return null;
    plate = plateOf(frame, figures);
    if (plates.size >= MAX_PLATES) plates.clear();
    plates.set(key, plate);
  }
  return fill(plate, figures);
}

/**
 * Everything that a template is made from, in one text: JSON would do, at four times the cost. No text in the
 * store has a NUL, a list of accounts is preceded by its length and one of details ends in an empty text, so
 * that no two frames read alike. Sums differ in length by their digits alone: a shop needs few plates.
 */
function keyOf({ language, scriptPath, brand, hasCustomer, methods }: Frame, figures: Figures): string {
  const { path, token, paymentNo, amount, due } = figures;
  const sizes = `${path.length} ${token.length} ${paymentNo.length} ${amount.length}`;
  let key = `${language}\0${scriptPath}\0${brand.name}\0${brand.mobile}\0${brand.whatsapp}\0${brand.email}\0${hasCustomer} ${sizes}`;
  for (const { channel, hasFee, hasQuote, accounts } of methods) {
    const { total, copied, fee, taka, rate } = due[channel] ?? NOTHING_DUE;
    key += `\0${channel} ${hasFee} ${hasQuote} ${total.length} ${copied.length} ${fee.length}`;
    key += ` ${taka.length} ${rate.length} ${accounts.length}`;
    for (const { type, number, details } of accounts) {
      key += `\0${type}\0${number}`;
      for (const [name, text] of Object.entries(details)) key += `\0${name}=${text}`;
      key += '\0';
    }
  }
  return key;
}

function frameOf({ language, scriptPath, checkout }: CheckoutPage): Frame {
  return {
    language,
    scriptPath,
    brand: checkout.brand,
    hasCustomer: checkout.cusName !== '',
    methods: checkout.methods.map(({ channel, feePaisa, usdt, accounts }) => ({
      channel,
      hasFee: feePaisa > 0,
      hasQuote: usdt !== null,
      accounts: channel === 'qr_interbank' ? accounts.map(withoutCode) : accounts,
    })),
  };
}

/** The code of a payment is as much its own as its sum, and the page shows it as a picture behind a path. */
function withoutCode({ type, number, details }: CheckoutAccount): CheckoutAccount {
  return { type, number, details: details.qr === undefined ? details : { ...details, qr: '' } };
}

/**
 * Rendered without any payment: a template that knows nothing of one customer shows nothing to another.
 * @param figures looked at for their sizes alone.
 */
function plateOf(frame: Frame, figures: Figures): Plate {
  const html = renderFigured({
    language: frame.language,
    scriptPath: frame.scriptPath,
    figures: HOLES,
    checkout: {
      id: '',
      gatewayReference: '',
      brandId: '',
      merchantId: '',
      state: 'open',
      brand: frame.brand,
      cusName: frame.hasCustomer ? '-' : '',
      amountPaisa: 0,
      expiresAt: 0,
      isSuspended: false,
      methods: frame.methods.map(({ channel, hasFee, hasQuote, accounts }) => ({
        channel,
        feePaisa: hasFee ? 1 : 0,
        totalPaisa: 0,
        usdt: hasQuote ? { rate: 0, amount: 0 } : null,
        accounts,
      })),
      claim: null,
      lacksSlip: false,
      paid: null,
      takes: [],
      payerGave: [],
      facts: { status: 'PENDING', channel: null, transactionId: '', paidPaisa: 0, feePaisa: 0 },
      returnNames: [],
      addresses: { successUrl: '', cancelUrl: '' },
      returnMethod: 'GET',
    },
    isPayer: false,
    isFresh: false,
    isLate: false,
    token: '',
    problem: null,
    now: 0,
    path: '',
    back: null,
  });
  const { texts, gaps } = cutAtHoles(html);
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
    page = Buffer.concat([page, Buffer.alloc(size, FILLER)]);
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
function fill({ pieces, firstCrc, slots, page, packed }: Plate, figures: Figures): Buffer | null {
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
