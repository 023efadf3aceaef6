/**
 * The reference as one page for people, made from the OpenAPI document and from nothing else. Knows no route
 * and no request. The page has no script and loads nothing.
 */
import { createHash } from 'node:crypto';
import { Eta } from 'eta/core';
import { REFUSAL_REF, type ReferenceDocument } from './document.js';
import { exampleCall, examplesOf } from './example-call.js';
import { allFieldsOf, type FieldRow, fieldRow, fieldsOf, shapesOf } from './fields.js';
import type { DocumentedAnswer, DocumentedOperation } from './operation.js';
import { STYLE } from './style.js';
import { TEMPLATE } from './template.js';

/** Allows the page its style and the empty icon that keeps browsers from asking for one. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
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

interface Section {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly keys: string;
  readonly parameters: readonly Row[];
  readonly call: string;
  readonly answers: readonly {
    readonly status: string;
    readonly description: string;
    /** One list for each form that it may have. */
    readonly fields: readonly (readonly Row[])[];
    readonly examples: readonly string[];
  }[];
  readonly refusals: readonly Row[];
}

/** @returns HTML. */
export function renderReference(document: ReferenceDocument): string {
  const { info, components, servers } = document;
  const origin = servers[0]?.url.startsWith('https://') === true ? servers[0].url : 'https://pay.example.com';
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      tags: operation.tags,
      section: sectionOf(document, origin, method.toUpperCase(), path, operation),
    })),
  );
  const sent = Object.values(document.webhooks).map(({ post }) => ({
    tags: post.tags,
    section: { ...sectionOf(document, origin, 'POST', 'your webhook_url', post), ...asSent(post) },
  }));
  return new Eta({ autoTrim: false }).renderString(TEMPLATE, {
    info,
    style: STYLE,
    inline,
    paragraphs,
    keys: Object.entries(components.securitySchemes).map(([name, { description }]) => ({
      name,
      note: '',
      text: description,
      details: '',
    })),
    tags: document.tags.map((tag) => ({
      ...tag,
      sections: [...all, ...sent].filter(({ tags }) => tags.includes(tag.name)).map(({ section }) => section),
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
): Section {
  const { operationId, summary, description, responses } = operation;
  const names = operation.security.flatMap((way) => Object.keys(way));
  return {
    id: operationId,
    method,
    path,
    summary,
    description,
    keys:
      names.length === 0 ? 'No key.' : `One of these keys: ${names.map((name) => `\`${name}\``).join(', ')}.`,
    parameters: parametersOf(document, operation),
    call: exampleCall(origin, method, path, operation),
    answers: Object.entries(responses)
      .filter(([, answer]) => !isRefusal(answer))
      .map(([status, answer]) => ({
        status,
        description: answer.description,
        fields: answerFields(document, answer),
        examples: examplesIn(answer),
      })),
    refusals: Object.entries(responses).flatMap(([status, answer]) => refusalsIn(status, answer)),
  };
}

/** What differs where the request is ours and the answer the shop's. */
function asSent({ parameters = [], requestBody }: DocumentedOperation): Pick<Section, 'keys' | 'call'> {
  const [content] = examplesOf(requestBody);
  const headers = parameters.map(({ name, example = '' }) => `${name}: ${example}`);
  const request = [`Content-Type: ${content?.type}`, ...headers, '', JSON.stringify(content?.media.example)];
  return { keys: 'Signed; see `X-Service-Signature`.', call: request.join('\n') };
}

/** The answers that the table of errors has made, each example with what to do about it. */
function isRefusal({ content = {} }: DocumentedAnswer): boolean {
  return Object.values(content).some(({ schema }) => schema.$ref === REFUSAL_REF);
}

function examplesIn({ content = {} }: DocumentedAnswer): string[] {
  const examples = Object.values(content).flatMap(({ examples: named }) => Object.values(named ?? {}));
  return examples.map(({ value }) => JSON.stringify(value, null, 2));
}

function refusalsIn(status: string, answer: DocumentedAnswer): Row[] {
  if (!isRefusal(answer)) return [];
  const examples = Object.values(answer.content ?? {}).flatMap(({ examples: named }) =>
    Object.entries(named ?? {}),
  );
  return examples.map(([name, { summary = '', value }]) => ({
    name: status,
    note: name,
    text: (value as { readonly message: string }).message,
    details: summary,
  }));
}

/** Those of path and query, then those of the body; the other names of one stand with it. */
function parametersOf(
  document: ReferenceDocument,
  { parameters = [], requestBody }: DocumentedOperation,
): Row[] {
  const [body] = examplesOf(requestBody);
  const shape = body === undefined ? undefined : shapesOf(document, body.media)[0];
  const outside = parameters
    .filter((parameter) => parameter['x-alias-of'] === undefined)
    .map(({ name, required, schema, description }) => {
      const otherNames = parameters.filter((one) => one['x-alias-of'] === name).map((one) => one.name);
      return fieldRow(name, { ...schema, description }, { isNeeded: required, otherNames });
    });
  return [...outside, ...(shape === undefined ? [] : fieldsOf(shape))].map(parameterRow);
}

function parameterRow({
  name,
  type,
  values,
  isNeeded,
  isDeprecated,
  text,
  otherNames,
  rules,
}: FieldRow): Row {
  const notes = [values.join(' or ') || type, isNeeded ? 'needed' : '', isDeprecated ? 'deprecated' : ''];
  const others = otherNames.map((other) => `\`${other}\``).join(', ');
  return {
    name,
    note: notes.filter((word) => word !== '').join(', '),
    text,
    details: [others === '' ? '' : `Also called ${others}.`, rules].filter((one) => one !== '').join(' '),
  };
}

/** Of every form that an answer may have. */
function answerFields(document: ReferenceDocument, { content = {} }: DocumentedAnswer): Row[][] {
  const shapes = Object.values(content).flatMap((media) => shapesOf(document, media));
  return shapes.map((shape) => allFieldsOf(shape).map(answerRow));
}

function answerRow({ name, type, values, isNeeded, text }: FieldRow): Row {
  const notes = [values.join(', ') || type, isNeeded ? '' : 'may be absent'];
  return { name, note: notes.filter((word) => word !== '').join(', '), text, details: '' };
}
