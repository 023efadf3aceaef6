/** Evidence of a bank transfer, uploaded by a customer: images and PDF, recognised by content only. */

/** Largest slip in bytes. */
export const MAX_SLIP_BYTES = 2 * 1024 * 1024;

export type SlipType = 'image/png' | 'image/jpeg' | 'application/pdf';

/** `no_room`: the brand's room for that day was used up. `forgotten`: deleted long after the decision. */
export type SlipOutcome = 'kept' | 'no_room' | 'forgotten';

/** The ending under which an operator gets a slip as a file. */
export const SLIP_ENDING: Readonly<Record<SlipType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
};

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PDF = Buffer.from('%PDF-');

/** @returns what the bytes are, or null for anything else; the name of an upload says nothing. */
export function slipType(bytes: Buffer): SlipType | null {
  if (startsWith(bytes, PNG)) return 'image/png';
  if (startsWith(bytes, JPEG)) return 'image/jpeg';
  return startsWith(bytes, PDF) ? 'application/pdf' : null;
}

function startsWith(bytes: Buffer, signature: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature);
}
