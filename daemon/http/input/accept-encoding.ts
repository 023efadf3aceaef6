/** Which clients take compressed answers. */

export type Coding = 'br' | 'gzip';

/** @returns the best coding that an `Accept-Encoding` header takes (RFC 9110, 12.5.3); null for none. */
export function codingFor(header: string | undefined): Coding | null {
  const wanted = new Map<string, boolean>();
  for (const entry of header?.toLowerCase().split(',') ?? []) {
    const [, coding = '', weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(entry) ?? [];
    wanted.set(coding === 'x-gzip' ? 'gzip' : coding, Number(weight) > 0);
  }
  if (wanted.get('br') === true) return 'br';
  return (wanted.get('gzip') ?? wanted.get('*')) === true ? 'gzip' : null;
}
