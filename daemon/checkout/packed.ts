/** Pages and assets as they go over the wire: compressed where the browser takes it. Knows no page. */
import { gzipSync } from 'node:zlib';

/** Fastest: on pages of this size the next levels save a tenth and take twice the time. */
const PAGE_LEVEL = 1;

/** @returns whether an `Accept-Encoding` header takes gzip (RFC 9110, 12.5.3). */
export function takesGzip(header: string | undefined): boolean {
  let anything = false;
  for (const entry of header?.toLowerCase().split(',') ?? []) {
    const [, coding = '', weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(entry) ?? [];
    const isWanted = Number(weight) > 0;
    if (coding === 'gzip' || coding === 'x-gzip') return isWanted;
    if (coding === '*') anything = isWanted;
  }
  return anything;
}

export function packPage(html: string): Buffer {
  return gzipSync(html, { level: PAGE_LEVEL });
}
