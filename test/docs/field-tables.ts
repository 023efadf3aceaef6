/**
 * The tables of fields in docs/, made of the document of the API. A table stands between
 * `<!-- fields: OPERATION PART -->` and `<!-- end -->`, where PART is `body` or `answer`, of a notification
 * `json` or `form`, with `2` behind it for the second form that it may have.
 * `node dist/test/docs/field-tables.js --write` writes them anew, and the types of clients/typescript; a test
 * holds the files against this.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildApp } from '../../daemon/http/app.js';
import {
  type FieldRow,
  listAllFields,
  listFields,
  listObjectSchemas,
} from '../../daemon/http/reference/fields.js';
import type {
  DocumentedAnswer,
  DocumentedOperation,
  MediaType,
  ReferenceDocument,
} from '../../daemon/http/reference/openapi.js';
import { openCore } from '../../src/actions/core/core.js';
import { openLog } from '../../src/base/io/log.js';
import { API_TYPES, apiTypes } from '../clients/api-types.js';
import { readPage } from '../helpers/browser/pages.js';

const TABLE = /<!-- fields: (\w+ \w+) -->\n[\s\S]*?<!-- end -->/g;
const FOLDER = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** Pages of docs/ that have such tables. */
export function pagesWithTables(): string[] {
  const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));
  return pages.map((name) => `docs/${name}`).filter((path) => readPage(path).match(TABLE) !== null);
}

/** @returns the names of the tables of a page, such as `createPayment answer`. */
export function tablesOf(page: string): string[] {
  return [...page.matchAll(TABLE)].map(([, name = '']) => name);
}

/** @returns the page with every table as the document has it. */
export function withTables(page: string, document: ReferenceDocument): string {
  return page.replace(
    TABLE,
    (_old, name: string) => `<!-- fields: ${name} -->\n${tableOf(document, name)}\n<!-- end -->`,
  );
}

/** Every operation of the document, those that are sent to shops included. */
export function allOperations({ paths, webhooks }: ReferenceDocument): readonly DocumentedOperation[] {
  const own = Object.values(paths).flatMap((methods) => Object.values(methods));
  return [...own, ...Object.values(webhooks).map(({ post }) => post)];
}

/** @returns what is answered where all is well, in JSON. */
export function answersOf({ responses }: DocumentedOperation): readonly MediaType[] {
  const wells = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return wells.flatMap(([, { content = {} }]: [string, DocumentedAnswer]) => {
    const json = content['application/json'];
    return json === undefined ? [] : [json];
  });
}

function tableOf(document: ReferenceDocument, name: string): string {
  const [operationId, part = ''] = name.split(' ');
  const operation = allOperations(document).find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`the document has no operation ${operationId}`);
  const [, kind = '', number = '1'] = /^([a-z]+)(\d?)$/.exec(part) ?? [];
  const media = mediaOf(operation, kind);
  const shape = media === undefined ? undefined : listObjectSchemas(document, media)[Number(number || 1) - 1];
  if (shape === undefined) throw new Error(`the document has no ${name}`);
  if (kind === 'body') return parameterTable(listFields(shape));
  return answerTable(number === '1' || number === '' ? listAllFields(shape) : listFields(shape));
}

function mediaOf(operation: DocumentedOperation, kind: string): MediaType | undefined {
  const content = operation.requestBody?.content ?? {};
  switch (kind) {
    case 'answer':
      return answersOf(operation)[0];
    case 'body':
    case 'json':
      return content['application/json'];
    default:
      return content['application/x-www-form-urlencoded'];
  }
}

const code = (text: string) => `\`${text}\``;
const rowOf = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll('|  |', '| |');

function parameterTable(fields: readonly FieldRow[]): string {
  const rows = fields.map((field) => {
    const { name, isNeeded, isDeprecated, otherNames, text, rules } = field;
    const words = [isDeprecated ? 'Deprecated.' : '', text, valuesText(field), rules];
    return rowOf([code(name), isNeeded ? 'yes' : 'no', otherNames.map(code).join(', '), sentences(words)]);
  });
  return ['| parameter | needed | also called | rule |', '|---|---|---|---|', ...rows].join('\n');
}

function answerTable(fields: readonly FieldRow[]): string {
  const rows = fields.map((field) => {
    const { name, type, isNeeded, text } = field;
    const words = [text, valuesText(field)];
    return rowOf([code(name), `${type}${isNeeded ? '' : ', may be absent'}`, sentences(words)]);
  });
  return ['| field | type | holds |', '|---|---|---|', ...rows].join('\n');
}

/** What it may be, unless its description names all of that. */
function valuesText({ values, text }: FieldRow): string {
  const words = values.filter((value) => value !== '');
  const isNamed = words.every((value) => text.includes(code(value)));
  return isNamed ? '' : `One of ${words.map(code).join(', ')}.`;
}

function sentences(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

async function ownDocument(): Promise<ReferenceDocument> {
  const folder = mkdtempSync(join(tmpdir(), 'kashbox-docs-'));
  const core = await openCore({ folder, env: {} });
  const app = await buildApp(core, { log: openLog('silent', { write: () => {} }).log });
  const { body } = await app.inject({ method: 'GET', url: '/openapi.json' });
  await app.close();
  await core.close();
  rmSync(folder, { recursive: true });
  return JSON.parse(body) as ReferenceDocument;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--write')) {
  const document = await ownDocument();
  for (const path of pagesWithTables()) {
    writeFileSync(join(FOLDER, '..', path), withTables(readPage(path), document));
  }
  writeFileSync(join(FOLDER, '..', API_TYPES), apiTypes(document));
}
