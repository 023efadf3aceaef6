/** What a shop sends to the hosted API, in the shapes that its language gives it, and what became of it. */
import type { LightMyRequestResponse } from 'fastify';
import type { BrandTable } from '../../../src/store/schema/index.js';
import { type Api, type Call, HOSTED_CREATE } from '../api.js';

export const RETURNS = {
  success_url: 'https://shop.example/paid?order=7',
  cancel_url: 'https://shop.example/cancelled',
};

/** Everything that must be there, and nothing else. */
export const ORDER = { amount: '500', ...RETURNS };

export type Fields = Readonly<Record<string, string>>;

/** The body of an urlencoded form, written as PHP's http_build_query and Python's urlencode write it. */
export function formText(fields: Fields): string {
  return new URLSearchParams(fields).toString();
}

export function form(fields: Fields): Call {
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: formText(fields) };
}

/** A multipart form, written as libcurl writes an array of PHP. */
export function multipart(fields: Fields): Call {
  const boundary = '------------------------d74496d66958873e';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${parts.join('')}--${boundary}--\r\n`,
  };
}

export function query(fields: Fields): string {
  return `${HOSTED_CREATE}?${formText(fields)}`;
}

/** `<session_ref>` of an answer to create; empty if there is none. */
export function referenceOf(response: LightMyRequestResponse): string {
  const { payment_url = '' } = response.json() as { readonly payment_url?: string };
  return /^https:\/\/[^/]+(?:\/[^/]+)*\/api\/execute\/([0-9a-f]{32})$/.exec(payment_url)?.[1] ?? '';
}

/** The row that an answer to create speaks of. */
export async function sessionOf({ core }: Api, response: LightMyRequestResponse) {
  return core.store.read((db) =>
    db.query
      .selectFrom('sessions')
      .where('id', '=', referenceOf(response))
      .selectAll()
      .executeTakeFirstOrThrow(),
  );
}

/** How many sessions there are at all. */
export async function countSessions({ core }: Api): Promise<number> {
  const rows = await core.store.read((db) => db.query.selectFrom('sessions').select('id').execute());
  return rows.length;
}

/** A brand as its operator has set it up. */
export async function setBrand({ core }: Api, columns: Partial<BrandTable>): Promise<void> {
  await core.store.write((db) => db.query.updateTable('brands').set(columns).execute());
}
