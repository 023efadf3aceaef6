/** Which clients take gzip. */

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
