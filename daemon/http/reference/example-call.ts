/** The request of an operation as curl, PHP and JavaScript write it, made from the document alone. */
import { JSON_TYPE } from '../schemas/operation.js';
import type { DocumentedOperation } from './openapi.js';

const KEYS: Readonly<Record<string, string>> = {
  'BRAND-KEY': 'bk_…',
  'DEVICE-KEY': 'dk_…',
  'DEVICE-KEYS': 'dk_…, dk_…',
  'GATEWAY-KEY': '…',
};

interface Sample {
  readonly language: string;
  readonly text: string;
}

interface Call {
  /** In capitals. */
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Of a JSON body; undefined where nothing is sent. */
  readonly body: unknown;
}

/**
 * @param method in capitals.
 * @returns curl first; PHP and JavaScript where the answer is JSON, since pages, pictures and streams are for
 *   a customer's browser or a phone.
 */
export function exampleCalls(
  origin: string,
  method: string,
  path: string,
  operation: DocumentedOperation,
): readonly Sample[] {
  const call = callOf(origin, method, path, operation);
  const curl = { language: 'curl', text: curlOf(call) };
  if (operation.responses['200']?.content?.[JSON_TYPE] === undefined) return [curl];
  return [curl, { language: 'PHP', text: phpOf(call) }, { language: 'JavaScript', text: javaScriptOf(call) }];
}

function callOf(
  origin: string,
  method: string,
  path: string,
  { parameters = [], security, requestBody }: DocumentedOperation,
): Call {
  const shown = parameters.flatMap(({ name, in: place, example }) =>
    example === undefined ? [] : [{ name, place, example }],
  );
  const inPath = shown.filter(({ place }) => place === 'path');
  const address = inPath.reduce((text, { name, example }) => text.replace(`{${name}}`, example), path);
  const inQuery = shown
    .filter(({ place }) => place === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(example)}`)
    .join('&');
  const [content] = Object.entries(requestBody?.content ?? {});
  const name = security.flatMap((way) => Object.keys(way))[0] ?? '';
  const key = KEYS[name];
  return {
    method,
    url: `${origin}${address}${inQuery === '' ? '' : `?${inQuery}`}`,
    headers: [
      ...(key === undefined ? [] : [[name, key] as const]),
      ...(content === undefined ? [] : [['Content-Type', content[0]] as const]),
    ],
    body: content?.[1].example,
  };
}

function curlOf({ method, url, headers, body }: Call): string {
  return [
    `curl ${url.includes('?') ? `'${url}'` : url}`,
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body)}'`]),
    ...(method === 'POST' && body === undefined ? ['-X POST'] : []),
  ].join(' \\\n  ');
}

/** By PHP's own streams, because not every PHP has curl; `ignore_errors` gives the body of a refusal, too. */
function phpOf({ method, url, headers, body }: Call): string {
  const lines = headers.map(([name, value]) => phpValue(`${name}: ${value}`));
  return [
    "$context = stream_context_create(['http' => [",
    `    'method' => ${phpValue(method)},`,
    ...(lines.length === 0 ? [] : [`    'header' => [${lines.join(', ')}],`]),
    ...(body === undefined ? [] : [`    'content' => json_encode(${phpValue(body, '    ')}),`]),
    "    'ignore_errors' => true,",
    ']]);',
    `$answer = json_decode(file_get_contents(${phpValue(url)}, false, $context), true);`,
  ].join('\n');
}

/** A literal of PHP. @param indent of the line on which it begins. */
function phpValue(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}    `;
  const entries = Object.entries(value).map(([name, one]) => {
    const key = Array.isArray(value) ? '' : `${phpValue(name)} => `;
    return `${inner}${key}${phpValue(one, inner)},\n`;
  });
  return entries.length === 0 ? '[]' : `[\n${entries.join('')}${indent}]`;
}

function javaScriptOf({ method, url, headers, body }: Call): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const names = headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(', ');
  const json = JSON.stringify(body, null, 2)?.replaceAll('\n', '\n  ');
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${quoted(method)},`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${names} },`]),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${json}),`]),
  ];
  return [
    options.length === 0
      ? `const response = await fetch(${quoted(url)});`
      : [`const response = await fetch(${quoted(url)}, {`, ...options, '});'].join('\n'),
    'const answer = await response.json();',
  ].join('\n');
}
