/**
 * The reference as one page for people, made from the OpenAPI document and from nothing else. Knows no route
 * and no request. The page loads nothing; without its script it is complete, too.
 */
import { createHash } from 'node:crypto';
import { Eta } from 'eta/core';
import { exampleCalls } from './example-call.js';
import { allFieldsOf, type FieldRow, fieldRow, fieldsOf, shapesOf } from './fields.js';
import { type DocumentedOperation, REFUSAL_REF, type ReferenceDocument } from './openapi.js';
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
interface Row {
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

/** The same of a text in which a blank line begins a paragraph. */
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
      isRefusal: media.some(({ schema }) => schema.$ref === REFUSAL_REF),
      /** One list for each form that it may have. */
      fields: media
        .flatMap((one) => shapesOf(document, one))
        .map((shape) => allFieldsOf(shape).map(answerRow)),
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

/** What differs where the request is ours and the answer the shop's. */
function asSent({ parameters = [], requestBody }: DocumentedOperation) {
  const [[type, media] = ['', undefined]] = Object.entries(requestBody?.content ?? {});
  const headers = parameters.map(({ name, example = '' }) => `${name}: ${example}`);
  const request = [`Content-Type: ${type}`, ...headers, '', JSON.stringify(media?.example)];
  return {
    keys: 'the signature in `X-Service-Signature`',
    samples: [{ language: 'HTTP', text: request.join('\n') }],
  };
}

/** Those of path and query, then those of the body; the other names of one stand with it. */
function parametersOf(
  document: ReferenceDocument,
  { parameters = [], requestBody }: DocumentedOperation,
): Row[] {
  const [body] = Object.values(requestBody?.content ?? {});
  const [shape = {}] = body === undefined ? [] : shapesOf(document, body);
  const outside = parameters.map(({ name, required, schema, description, 'x-aliases': aliases }) =>
    fieldRow(name, { ...schema, description, 'x-aliases': aliases }, required),
  );
  return [...outside, ...fieldsOf(shape)].map(parameterRow);
}

function parameterRow(field: FieldRow): Row {
  const { name, type, values, isNeeded, isDeprecated, text, otherNames, rules } = field;
  const notes = [values.join(' or ') || type, isNeeded ? 'required' : '', isDeprecated ? 'deprecated' : ''];
  const others = otherNames.map((other) => `\`${other}\``).join(', ');
  const details = [others === '' ? '' : `Also called ${others}.`, rules];
  return { name, note: notes.filter(Boolean).join(', '), text, details: details.filter(Boolean).join(' ') };
}

function answerRow({ name, type, values, isNeeded, text }: FieldRow): Row {
  const notes = [values.join(', ') || type, isNeeded ? '' : 'optional'];
  return { name, note: notes.filter(Boolean).join(', '), text, details: '' };
}
