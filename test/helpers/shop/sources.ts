/** Files of senders other than wallets, as an operator writes them. */
import { loadFormatFile } from '../../../src/channels/mfs/index.js';
import type { FormatFile } from '../../../src/channels/mfs/types.js';
import { KNOWN_SOURCES } from '../../../src/domain/sources/catalogue.js';

/** @returns the file of a source that comes with Kashbox. @param change of its "source". */
export function sourceFile(name: string, change: object = {}) {
  const known = KNOWN_SOURCES.find(({ source }) => source.name === name);
  if (known === undefined) throw new Error(`no source ${name}`);
  const { source, channel, formats } = known;
  return { source: { ...source, channel, ...change }, formats };
}

/** @returns a file as it is loaded. */
export const loaded = (file: object): FormatFile => loadFormatFile(JSON.parse(JSON.stringify(file)));

export const TALLYPAY = 'Tk 1,898.57 received from 017***4838 via TallyPay QR. Txn ID: YY1Z85HTP';
export const EBL =
  'AC 112***286 is credited with BDT 10000 as NPSB FUND TRANSFER on 01-SEP-26 10:38:57 AM Balance is BDT 10034.2 Thanks. EBL Helpline 16230';
