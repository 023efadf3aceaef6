/** Bodies of pushes and the maps that they are read by. */
import { parsePush } from '../../../src/channels/qr-interbank/push-body.js';
import { CANONICAL_MAP, type PushMap, parsePushMap } from '../../../src/channels/qr-interbank/push-map.js';

export const FORM = 'application/x-www-form-urlencoded';

export function map(given: object): PushMap {
  const read = parsePushMap(given);
  if (!read.ok) throw new Error(read.faults.join());
  return read.map;
}

export const read = (body: string, contentType: string, by = CANONICAL_MAP) =>
  parsePush({ bytes: Buffer.from(body), contentType }, by);

/** @param body a text is sent as it stands. */
export const json = (body: unknown, by = CANONICAL_MAP) =>
  read(typeof body === 'string' ? body : JSON.stringify(body), 'application/json', by);

export const form = (body: string, by = CANONICAL_MAP) => read(body, FORM, by);
