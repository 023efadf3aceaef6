/**
 * The page of an open payment, pressed: rendered and compressed once for all customers of a shop, with holes
 * into which each payment's figures are set. It is the page that most customers open, and the only one that
 * many open at once; every other is rendered and compressed by itself.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { cutAtHoles, type Figures, HOLES, hasHole, type Reader } from './figures.js';
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

interface Piece {
  readonly bytes: Buffer;
  /** Ends on a whole byte, so that another piece may follow. */
  readonly deflated: Buffer;
  /** The figure behind it; the last piece has none. */
  readonly hole: Hole | null;
}

interface Hole {
  readonly read: Reader;
  /** Bytes that the figure must have, because later pieces point back over it; null for any number. */
  readonly size: number | null;
}

interface Plate {
  readonly pieces: readonly Piece[];
  /** Bytes of a page beside its figures. */
  readonly room: number;
  /** Checksum of the first piece, which holds the style and so a third of the page. */
  readonly firstCrc: number;
}

const plates = new Map<string, Plate>();

/** What is the same for all customers of a shop, and all that a plate is made from. */
type Frame = Pick<CheckoutPage, 'language' | 'scriptPath'> & {
  readonly brand: CheckoutPage['checkout']['brand'];
  readonly hasCustomer: boolean;
  readonly methods: readonly {
    readonly channel: CheckoutPage['checkout']['methods'][number]['channel'];
    readonly hasFee: boolean;
    readonly accounts: CheckoutPage['checkout']['methods'][number]['accounts'];
  }[];
};

/** @returns the page as one gzip file, or null for a page that is not made from a plate. */
export function pressPage(page: CheckoutPage): Buffer | null {
  const { checkout } = page;
  if (checkout.state !== 'open' || page.problem !== null || checkout.claim !== null) return null;
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
 * Everything that a plate is made from, in one text: JSON would do, at four times the cost. No text in the
 * store has a NUL, and each list is preceded by its length, so that no two frames read alike. Sums differ in
 * length by their digits alone, so that a shop needs a handful of plates.
 */
function keyOf({ language, scriptPath, brand, hasCustomer, methods }: Frame, figures: Figures): string {
  const { path, token, paymentNo, amount, due } = figures;
  const sizes = `${path.length} ${token.length} ${paymentNo.length} ${amount.length}`;
  let key = `${language}\0${scriptPath}\0${brand.name}\0${brand.mobile}\0${brand.whatsapp}\0${brand.email}\0${hasCustomer} ${sizes}`;
  for (const { channel, hasFee, accounts } of methods) {
    const { total = '', copied = '', fee = '' } = due[channel] ?? {};
    key += `\0${channel} ${hasFee} ${total.length} ${copied.length} ${fee.length} ${accounts.length}`;
    for (const { type, number, details } of accounts) {
      key += `\0${type}\0${number}\0${JSON.stringify(details)}`;
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
    methods: checkout.methods.map(({ channel, feePaisa, accounts }) => ({
      channel,
      hasFee: feePaisa > 0,
      accounts,
    })),
  };
}

/**
 * Rendered from the page of nobody: what a plate is not told of a payment it cannot show to another.
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
      methods: frame.methods.map(({ channel, hasFee, accounts }) => ({
        channel,
        feePaisa: hasFee ? 1 : 0,
        totalPaisa: 0,
        accounts,
      })),
      claim: null,
      paid: null,
      facts: { status: 'PENDING', channel: null, transactionId: '', paidPaisa: 0, feePaisa: 0 },
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
  let past = Buffer.alloc(0);
  const pieces = texts.map((text, at): Piece => {
    const bytes = Buffer.from(text);
    const dictionary = past.subarray(-WINDOW);
    const options = { level: 9, finishFlush: constants.Z_SYNC_FLUSH, dictionary };
    const deflated = deflateRawSync(bytes, options);
    const gap = gaps[at];
    if (gap === undefined) return { bytes, deflated, hole: null };
    const size = gap.isSized ? Buffer.byteLength(gap.read(figures)) : null;
    past = size === null ? Buffer.alloc(0) : Buffer.concat([past, bytes, Buffer.alloc(size, FILLER)]);
    return { bytes, deflated, hole: { read: gap.read, size } };
  });
  const deflated = pieces.reduce((sum, piece) => sum + piece.deflated.length + STORED_HEADER, 0);
  const firstCrc = crc32(pieces[0]?.bytes ?? '');
  return { pieces, room: GZIP_HEADER.length + deflated + GZIP_END, firstCrc };
}

/** @returns null where a figure has another size than the plate was made for. */
function fill({ pieces, room, firstCrc }: Plate, figures: Figures): Buffer | null {
  const values = pieces.map(({ hole }) => (hole === null ? '' : hole.read(figures)));
  // A character is three bytes at most, or a half of four.
  const out = Buffer.allocUnsafe(room + values.reduce((sum, { length }) => sum + 3 * length, 0));
  let at = GZIP_HEADER.copy(out);
  let checksum = firstCrc;
  let length = 0;
  for (const [index, { bytes, deflated, hole }] of pieces.entries()) {
    at += deflated.copy(out, at);
    if (index > 0) checksum = crc32(bytes, checksum);
    length += bytes.length;
    if (hole === null) continue;
    const start = at + STORED_HEADER;
    const size = out.write(values[index] ?? '', start);
    if (hole.size !== null && hole.size !== size) return null;
    out[at] = 0;
    out[at + 1] = size & 0xff;
    out[at + 2] = size >> 8;
    out[at + 3] = ~size & 0xff;
    out[at + 4] = (~size >> 8) & 0xff;
    at = start + size;
    checksum = crc32(out.subarray(start, at), checksum);
    length += size;
  }
  out.writeUInt16LE(LAST_BLOCK, at);
  out.writeUInt32LE(checksum, at + 2);
  out.writeUInt32LE(length, at + 6);
  return out.subarray(0, at + GZIP_END);
}
