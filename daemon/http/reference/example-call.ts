/** The request of an operation as a curl command, made from the document alone. */
import type { DocumentedOperation } from './openapi.js';

const KEY_HEADERS: Readonly<Record<string, string>> = {
  'BRAND-KEY': 'BRAND-KEY: bk_…',
  'DEVICE-KEY': 'DEVICE-KEY: dk_…',
  'DEVICE-KEYS': 'DEVICE-KEYS: dk_…, dk_…',
  'GATEWAY-KEY': 'GATEWAY-KEY: …',
};

/** @param method in capitals. */
export function exampleCall(
  origin: string,
  method: string,
  path: string,
  { parameters = [], security, requestBody }: DocumentedOperation,
): string {
  const shown = parameters.flatMap(({ name, in: place, example }) =>
    example === undefined ? [] : [{ name, place, example }],
  );
  const inPath = shown.filter(({ place }) => place === 'path');
  const address = inPath.reduce((text, { name, example }) => text.replace(`{${name}}`, example), path);
  const inQuery = shown
    .filter(({ place }) => place === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(example)}`)
    .join('&');
  const url = `${origin}${address}`;
  const [content] = Object.entries(requestBody?.content ?? {});
  const key = security.flatMap((way) => Object.keys(way)).map((name) => KEY_HEADERS[name])[0];
  return [
    `curl ${inQuery === '' ? url : `'${url}?${inQuery}'`}`,
    ...(key === undefined ? [] : [`-H '${key}'`]),
    ...(content === undefined
      ? []
      : [`-H 'Content-Type: ${content[0]}'`, `-d '${JSON.stringify(content[1].example)}'`]),
    ...(method === 'POST' && content === undefined ? ['-X POST'] : []),
  ].join(' \\\n  ');
}
