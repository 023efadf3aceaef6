/** Photos as phones take them: codes are found in them, and damaged ones are refused. */
import test from 'ava';
import jpeg from 'jpeg-js';
import QRCode from 'qrcode';
import { decodeQrImage } from '../../../src/channels/qr-interbank/image.js';
import { printedPayload } from '../../helpers/shop/qr.js';

/** A code, and where its left upper corner is. */
type Placed = readonly [text: string, left: number, top: number];

/** A wall with codes on it, `scale` pixels a module, as a camera saves it. */
function photo(width: number, height: number, scale: number, codes: readonly Placed[]): Buffer {
  const row = Buffer.alloc(width * 4, 255);
  for (let x = 0; x < width; x += 1) row.fill(150 + (x / width) * 60 + ((x * 7919) % 13), x * 4, x * 4 + 2);
  const data = Buffer.alloc(width * height * 4, row);
  for (const [text, left, top] of codes) {
    const { modules } = QRCode.create(text);
    for (let y = -4; y < modules.size + 4; y += 1) {
      const line = Buffer.alloc((modules.size + 8) * scale * 4, 230);
      for (let x = 0; x < modules.size && y >= 0 && y < modules.size; x += 1) {
        if (modules.get(y, x)) line.fill(40, (x + 4) * scale * 4, (x + 5) * scale * 4);
      }
      for (let one = 0; one < scale; one += 1)
        line.copy(data, ((top + (y + 4) * scale + one) * width + left) * 4);
    }
  }
  return Buffer.from(jpeg.encode({ data, width, height }, 85).data);
}

test('a code on the counter is read out of a photo of 12 megapixels, and of 50', async (t) => {
  t.timeout(120_000);
  for (const [width, height, scale] of [
    [4_032, 3_024, 14],
    [8_160, 6_120, 28],
  ] as const) {
    const bytes = photo(width, height, scale, [[printedPayload, width >> 1, height >> 2]]);
    t.deepEqual(await decodeQrImage(bytes), { ok: true, text: printedPayload }, `${width}`);
  }
});

test('of two codes in a photo none is taken, and one that is cut off or shows none is refused', async (t) => {
  t.timeout(120_000);
  const two = photo(3_200, 2_400, 12, [
    [printedPayload, 100, 100],
    ['https://example.com', 2_000, 1_500],
  ]);
  t.false((await decodeQrImage(two)).ok);
  const low = photo(3_200, 2_400, 12, [[printedPayload, 2_000, 1_500]]);
  for (const part of [0.01, 0.3]) t.false((await decodeQrImage(low.subarray(0, low.length * part))).ok);
  t.regex(JSON.stringify(await decodeQrImage(photo(3_200, 2_400, 12, []))), /No QR code can be read/);
});

test('no damage to a photo or a PNG does worse than to be refused', async (t) => {
  const { modules } = QRCode.create('x');
  const size = (modules.size + 8) * 2;
  const small = photo(size, size, 2, [['x', 0, 0]]);
  t.deepEqual(await decodeQrImage(small), { ok: true, text: 'x' });
  const png = await QRCode.toBuffer('x', { scale: 2 });
  for (const whole of [small, png]) {
    for (let at = 2; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      const read = await decodeQrImage(bytes);
      t.true(!read.ok || read.text === 'x', `${at}: ${JSON.stringify(read)}`);
    }
  }
});
