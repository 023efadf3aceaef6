/** QR codes in a terminal, and as pictures. */

/** Black on white, which scanners want, on dark terminals too. */
const INK = { on: '\u001b[30;47m', off: '\u001b[0m' };

/** Pixels of a side: sharp on a printed page. */
const PNG_SIDE = 720;

/**
 * @param coloured true if the output is a terminal.
 * @returns lines of the QR code, with the quiet zone that scanners need.
 */
export async function terminalQr(text: string, coloured: boolean): Promise<string[]> {
  const { default: qrcode } = await import('qrcode');
  const lines = (await qrcode.toString(text, { type: 'utf8' })).split('\n').filter((line) => line !== '');
  return coloured ? lines.map((line) => INK.on + line + INK.off) : lines;
}

/** @returns the code as a PNG file. */
export async function qrPng(text: string): Promise<Uint8Array> {
  const { default: qrcode } = await import('qrcode');
  return qrcode.toBuffer(text, { type: 'png', width: PNG_SIDE, errorCorrectionLevel: 'M' });
}
