/** Codes are read out of pictures as operators have them, and nothing else is taken for one. */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import test from 'ava';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import QRCode from 'qrcode';
import { decodeQrImage } from '../../../src/channels/qr-interbank/image.js';
import { printedPayload } from '../../helpers/shop/qr.js';

const SMALLER = 'cut it down to the code, or take a smaller picture';
const WHITE = [255, 255, 255, 255];

/** A picture of one colour, with others put on it. */
function picture(width: number, height: number, colour: readonly number[] = WHITE): PNG {
  const png = new PNG({ width, height });
  png.data.fill(Buffer.from(colour));
  return png;
}

async function code(text: string, light = '#ffffffff'): Promise<PNG> {
  return PNG.sync.read(await QRCode.toBuffer(text, { scale: 4, color: { light } }));
}

function put(onto: PNG, from: PNG, x: number, y: number): PNG {
  PNG.bitblt(from, onto, 0, 0, from.width, from.height, x, y);
  return onto;
}

const bytesOf = (png: PNG) => PNG.sync.write(png);
const asJpeg = ({ data, width, height }: PNG) => Buffer.from(jpeg.encode({ data, width, height }, 80).data);

test('a code is read out of a PNG, also one without a background', async (t) => {
  t.deepEqual(await decodeQrImage(bytesOf(await code(printedPayload))), { ok: true, text: printedPayload });
  const clear = await code(printedPayload, '#00000000');
  t.is(clear.data[3], 0);
  t.deepEqual(await decodeQrImage(bytesOf(clear)), { ok: true, text: printedPayload });
});

test('a code is read out of a JPEG in which it is one thing among others', async (t) => {
  const photo = put(picture(900, 700, [200, 180, 90, 255]), await code(printedPayload), 300, 150);
  t.deepEqual(await decodeQrImage(asJpeg(photo)), { ok: true, text: printedPayload });
});

test('rejects a picture with two codes, wherever they are', async (t) => {
  const one = await code(printedPayload);
  const other = await code('https://example.com');
  for (const [x, y] of [
    [520, 10],
    [520, 500],
    [10, 500],
    [1300, 1300],
  ] as const) {
    const { ok } = await decodeQrImage(bytesOf(put(put(picture(1500, 1500), one, 10, 10), other, x, y)));
    t.false(ok, `${x} ${y}`);
  }
  t.like(await decodeQrImage(bytesOf(put(put(picture(1500, 1500), one, 10, 10), other, 1300, 1300))), {
    fault: 'The picture shows several QR codes: cut it down to one',
  });
});

test('rejects a picture without a code and a file that is not a picture', async (t) => {
  t.like(await decodeQrImage(bytesOf(picture(200, 200))), {
    ok: false,
    fault: 'No QR code can be read in the picture; it must show one, whole and sharp',
  });
  for (const bytes of [Buffer.alloc(0), Buffer.from('%PDF-1.7'), Buffer.from('GIF89a'), randomBytes(500)]) {
    t.like(await decodeQrImage(bytes), { ok: false, fault: 'The picture must be a PNG or a JPEG file' });
  }
});

test('a damaged picture is refused wherever it ends', async (t) => {
  const whole = await code(printedPayload);
  for (const bytes of [bytesOf(whole), asJpeg(whole)]) {
    for (const part of [0.01, 0.1, 0.5]) {
      t.false((await decodeQrImage(bytes.subarray(0, 8 + Math.floor(bytes.length * part)))).ok);
    }
  }
});

test('a small file that promises a huge picture is refused before it is unpacked', async (t) => {
  const png = bytesOf(await code('x'));
  png.writeUInt32BE(60_000, 16);
  png.writeUInt32BE(60_000, 20);
  t.like(await decodeQrImage(png), {
    ok: false,
    fault: `The picture has too many pixels for a PNG file: save it as a JPEG, ${SMALLER}`,
  });

  const photo = asJpeg(picture(16, 16));
  const frame = photo.indexOf(Buffer.from([0xff, 0xc0]));
  photo.writeUInt16BE(60_000, frame + 5);
  photo.writeUInt16BE(60_000, frame + 7);
  t.like(await decodeQrImage(photo), {
    ok: false,
    fault: `The picture has more than 50 megapixels: ${SMALLER}`,
  });
});

test('rejects a second image header, whatever size it claims', async (t) => {
  const small = bytesOf(picture(1, 1));
  const header = small.subarray(8, 33);
  for (const side of [1, 2_000]) {
    const other = bytesOf(picture(side, side));
    t.like(await decodeQrImage(Buffer.concat([small.subarray(0, 8), header, other.subarray(8)])), {
      ok: false,
      fault: 'The picture is damaged: it must have one header',
    });
  }
  t.false((await decodeQrImage(Buffer.concat([small.subarray(0, 8), small.subarray(33)]))).ok, 'no header');
});

test('a picture without any pixels is refused', async (t) => {
  for (const offset of [16, 20]) {
    const png = bytesOf(picture(1, 1));
    png.writeUInt32BE(0, offset);
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    t.false((await decodeQrImage(png)).ok);
  }
});

test('an interlaced PNG, which is unpacked without a limit, is refused', async (t) => {
  const png = bytesOf(await code('x'));
  png.writeUInt8(1, 28);
  t.like(await decodeQrImage(png), {
    ok: false,
    fault: 'The picture is an interlaced PNG: save it as a plain one',
  });
});

test('a file of more than 32 MiB is not looked at', async (t) => {
  t.like(await decodeQrImage(Buffer.alloc(32 * 1024 * 1024 + 1)), {
    ok: false,
    fault: `The picture is larger than 32 MiB: ${SMALLER}`,
  });
});
