/**
 * The reference as one page for people, made from the OpenAPI document and from nothing else. Knows no route
 * and no request. The page loads nothing; without its script it is complete, too.
 */
import { createHash } from 'node:crypto';
import { Eta } from 'eta/core';
import { JSON_TYPE } from '../schemas/operation.js';
import { type FieldRow, fieldRow, listAllFields, listFields, listObjectSchemas } from './fields.js';
import { type DocumentedOperation, ERROR_REF, type ReferenceDocument } from './openapi.js';
import { SCRIPT, STYLE, TEMPLATE } from './template.js';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows the page its style, its script and the empty icon that keeps browsers from asking for one. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** A line of a list: a name, what it is, and in small what else there is to know. */
interface ListRow {
  readonly name: string;
  readonly note: string;
  readonly text: string;
  readonly details: string;
}

/** @returns HTML. */
export function renderReference(document: ReferenceDocument): string {
  const { info, components, servers, tags } = document;
  const origin = servers[0]?.url.startsWith('https://') === true ? servers[0].url : 'https://pay.example.com';
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      sectionOf(document, origin, method.toUpperCase(), path, operation),
    ),
  );
  const sent = Object.values(document.webhooks).map(({ post }) => ({
    ...sectionOf(document, origin, 'POST', 'your webhook_url', post),
    ...asSent(post),
  }));
  return new Eta({ autoTrim: false }).renderString(TEMPLATE, {
    info,
    style: STYLE,
    script: SCRIPT,
    inline,
    paragraphs,
    keys: Object.entries(components.securitySchemes).map(([name, { description: text }]) => ({ name, text })),
    tags: tags.map((tag) => ({
      ...tag,
      sections: [...all, ...sent].filter((section) => section.tags.includes(tag.name)),
    })),
  });
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** @returns HTML of a plain text with `code` between backticks. */
function inline(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Returns HTML of a text in which a blank line begins a paragraph. */
function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}

function sectionOf(
  document: ReferenceDocument,
  origin: string,
  method: string,
  path: string,
  operation: DocumentedOperation,
) {
  const { operationId: id, tags, summary, description, responses, security } = operation;
  const names = security.flatMap((way) => Object.keys(way)).map((name) => `\`${name}\``);
  const answers = Object.entries(responses).map(([status, answer]) => {
    const media = Object.values(answer.content ?? {});
    return {
      status,
      description: answer.description,
      isRefusal: media.some(({ schema }) => schema.$ref === ERROR_REF),
      /** One list for each form that it may have. */
      fields: media
        .flatMap((one) => listObjectSchemas(document, one))
        .map((shape) => listAllFields(shape).map(answerRow)),
      examples: media.flatMap(({ examples = {} }) => Object.entries(examples)),
    };
  });
  return {
    id,
    tags,
    method,
    path,
    summary,
    description,
    keys: names.length === 0 ? 'none' : names.join(' or '),
    parameters: parametersOf(document, operation),
    samples: exampleCalls(origin, method, path, operation),
    answers: answers.filter(({ isRefusal }) => !isRefusal),
    /** The answers that the table of errors has made, each example with what to do about it. */
    refusals: answers
      .filter(({ isRefusal }) => isRefusal)
      .flatMap(({ status: name, examples }) =>
        examples.map(([note, { summary: details, value }]) => {
          const { message: text } = value as { readonly message: string };
          return { name, note, text, details };
        }),
      ),
  };
}

/** Properties that differ if Kashbox sends the request and the shop answers. */
function asSent({ parameters = [], requestBody }: DocumentedOperation) {
  const [[type, media] = ['', undefined]] = Object.entries(requestBody?.content ?? {});
  const headers = parameters.map(({ name, example = '' }) => `${name}: ${example}`);
  const request = [`Content-Type: ${type}`, ...headers, '', JSON.stringify(media?.example)];
  return {
    keys: 'the signature in `X-Service-Signature`',
    samples: [{ language: 'HTTP', text: request.join('\n') }],
  };
}

/** Parameters of path and query, then fields of the body; aliases are listed with their field. */
function parametersOf(
  document: ReferenceDocument,
  { parameters = [], requestBody }: DocumentedOperation,
): ListRow[] {
  const [body] = Object.values(requestBody?.content ?? {});
  const [shape = {}] = body === undefined ? [] : listObjectSchemas(document, body);
  const outside = parameters.map(({ name, required, schema, description, 'x-aliases': aliases }) =>
    fieldRow(name, { ...schema, description, 'x-aliases': aliases }, required),
  );
  return [...outside, ...listFields(shape)].map(parameterRow);
}

function parameterRow(field: FieldRow): ListRow {
  const { name, type, values, isNeeded, isDeprecated, text, otherNames, rules } = field;
  const notes = [values.join(' or ') || type, isNeeded ? 'required' : '', isDeprecated ? 'deprecated' : ''];
  const others = otherNames.map((other) => `\`${other}\``).join(', ');
  const details = [others === '' ? '' : `Also called ${others}.`, rules];
  return { name, note: notes.filter(Boolean).join(', '), text, details: details.filter(Boolean).join(' ') };
}

function answerRow({ name, type, values, isNeeded, text }: FieldRow): ListRow {
  const notes = [values.join(', ') || type, isNeeded ? '' : 'optional'];
  return { name, note: notes.filter(Boolean).join(', '), text, details: '' };
}

const KEYS: Readonly<Record<string, string>> = {
  'BRAND-KEY': 'bk_…',
  'DEVICE-KEY': 'dk_…',
  'DEVICE-KEYS': 'dk_…, dk_…',
  'GATEWAY-KEY': '…',
};

interface CallSample {
  readonly language: string;
  readonly text: string;
}

interface ExampleCall {
  /** HTTP method in capitals. */
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON body; undefined if none is sent. */
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
): readonly CallSample[] {
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
): ExampleCall {
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

function curlOf({ method, url, headers, body }: ExampleCall): string {
  return [
    `curl ${url.includes('?') ? `'${url}'` : url}`,
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body)}'`]),
    ...(method === 'POST' && body === undefined ? ['-X POST'] : []),
  ].join(' \\\n  ');
}

/** Uses PHP's own streams: not every PHP has curl. `ignore_errors` returns a refusal's body, too. */
function phpOf({ method, url, headers, body }: ExampleCall): string {
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

function javaScriptOf({ method, url, headers, body }: ExampleCall): string {
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
