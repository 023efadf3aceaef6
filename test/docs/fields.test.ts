/** The tables of fields in docs/ are those of the API's document, and none of its fields is missing there. */
import test from 'ava';
import { listAllFields, listFields, listObjectSchemas } from '../../daemon/http/reference/fields.js';
import { EXAMPLE_PAYMENT } from '../../daemon/http/reference/notifications.js';
import type {
  DocumentedOperation,
  DocumentedSchema,
  MediaType,
  ReferenceDocument,
} from '../../daemon/http/reference/openapi.js';

import { channelModule } from '../../src/channels/index.js';
import { CHANNELS, type Channel } from '../../src/domain/accounts/channels.js';
import { returnParameters } from '../../src/domain/sessions/redirect.js';
import { API_TYPES, apiTypes } from '../clients/api-types.js';
import { openApi } from '../daemon/api.js';
import { getOpenApi, judgeOf } from '../daemon/reference/documented.js';
import { codesOf, readPage, sectionOf, tableRows } from '../helpers/browser/pages.js';
import { allOperations, answersOf, pagesWithTables, tablesOf, withTables } from './field-tables.js';

test('the tables and the client’s types match the document; node dist/test/docs/field-tables.js --write regenerates them', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const pages = pagesWithTables();
  t.true(pages.includes('docs/api-hosted.md') && pages.includes('docs/webhooks.md'));
  for (const path of pages) t.is(readPage(path), withTables(readPage(path), document), path);
  t.is(readPage(API_TYPES), apiTypes(document));
});

/** What the service says of itself is told in words; a test message has the first fields of any other. */
const WITHOUT_TABLES = ['getHealth', 'getReadiness', 'getOpenApi', 'getDocs', 'onPing'];

/** All that is said in JSON where all is well, and all that is sent to shops. */
function bodiesOf(operation: DocumentedOperation, document: ReferenceDocument): readonly MediaType[] {
  const isSent = Object.values(document.webhooks).some(({ post }) => post === operation);
  return isSent ? Object.values(operation.requestBody?.content ?? {}) : answersOf(operation);
}

/** A second form has the fields of the first one once more, inside. */
function rowsOf(document: ReferenceDocument, media: MediaType) {
  return listObjectSchemas(document, media).map((shape, at) =>
    at === 0 ? listAllFields(shape) : listFields(shape),
  );
}

test('every field of every answer and notification is in a table, with its description', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const pages = pagesWithTables().map(readPage);
  const told = new Set(
    pages.flatMap((page) => tableRows(page).map((cells) => `${codesOf(cells[0] ?? '')[0]}: ${cells.at(-1)}`)),
  );
  let count = 0;
  for (const operation of allOperations(document)) {
    if (WITHOUT_TABLES.includes(operation.operationId)) continue;
    for (const fields of bodiesOf(operation, document).flatMap((media) => rowsOf(document, media))) {
      for (const { name, text } of fields) {
        count += 1;
        const has = [...told].some((row) => row.startsWith(`${name}: ${text.replaceAll('|', '\\|')}`));
        t.true(has, `${operation.operationId} ${name}: ${text}`);
      }
    }
  }
  t.true(count > 150, String(count));
});

test('every field that shops send is in the tables of the pages of the API, under each of its names', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const tables = ['docs/api-hosted.md', 'docs/api-headless.md'].flatMap((path) => tablesOf(readPage(path)));
  for (const operationId of [
    'createHostedPayment',
    'verifyHostedPayment',
    'createPayment',
    'verifyPayment',
  ]) {
    t.true(tables.includes(`${operationId} body`) && tables.includes(`${operationId} answer`), operationId);
  }
  t.true(tablesOf(readPage('docs/webhooks.md')).join().includes('onPaymentEvent json,onPaymentEvent form'));
  t.true(Object.keys(document.paths).includes('/api/qr/{file}'));
});

test('every field in the document says what it holds', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const wordless: string[] = [];
  const look = (owner: string, schema: DocumentedSchema) => {
    for (const { name, text } of listAllFields(schema)) if (text === '') wordless.push(`${owner}.${name}`);
  };
  for (const name of Object.keys(document.components.schemas)) {
    if (name === 'ForwardSmsRequest') continue; // Names of the same two things in every format.
    for (const shape of listObjectSchemas(document, { schema: { $ref: `#/${name}` } })) look(name, shape);
  }
  t.deepEqual(wordless, []);
});

/** An entry of create's `methods` with everything that it can have. */
function entryOf(name: Channel): Record<string, unknown> {
  const account = { channel: name, number: '01711000001', details: {} };
  const accounts = ['personal', 'agent', 'payment', 'merchant'].map((type) => ({ ...account, type }));
  const offer = {
    usdt: { rate: 1_200_000, amount: 41_667 },
    code: { image: 'https://x', payload: '000201' },
  };
  return channelModule(name)?.describe(accounts, offer) ?? {};
}

test('the entries of methods have the fields of their rows, and the document knows each', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const { faults } = judgeOf(document);
  const schema = document.components.schemas.CreatePaymentResponse as {
    readonly properties: { readonly methods: { readonly items: DocumentedSchema } };
  };
  const rows = tableRows(sectionOf(readPage('docs/api-headless.md'), 'Headless: create'));
  for (const name of CHANNELS) {
    const row = rows.find(
      ([names = '', , , action]) => action !== undefined && codesOf(names).includes(name),
    );
    const { name: _name, active_payments: active = {}, ...others } = entryOf(name);
    t.deepEqual(codesOf(row?.[1] ?? ''), Object.keys(active as object), name);
    t.deepEqual(codesOf(row?.[2] ?? '').toSorted(), Object.keys(others).toSorted(), name);
    t.is(faults(schema.properties.methods.items, entryOf(name)), '', name);
  }
});

test('a field that the document does not know is a fault', async (t) => {
  const document = await getOpenApi(await openApi(t));
  const { faults } = judgeOf(document);
  const answer = { status: true, message: 'Payment URL generated', payment_url: 'https://pay.example.com/x' };
  const schema = { $ref: '#/components/schemas/CreateHostedPaymentResponse' };
  t.is(faults(schema, answer), '');
  t.not(faults(schema, { ...answer, another: 1 }), '');
});

test('the table of the way back names every parameter', (t) => {
  const rows = tableRows(sectionOf(readPage('docs/api-hosted.md'), 'Hosted: the way back')).slice(1);
  const sent = Object.fromEntries(returnParameters(EXAMPLE_PAYMENT, { isTest: true }));
  t.deepEqual(
    rows.map(([name = '']) => codesOf(name)[0]),
    Object.keys(sent),
  );
});
