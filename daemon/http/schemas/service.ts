/** Health and the reference itself: what their routes carry. */
import { Type } from '@sinclair/typebox';
import { Message } from './fields.js';
import { answer, content, operation } from './operation.js';

const service = { tag: 'service', access: 'open' } as const;

export const isUp = operation({
  ...service,
  operationId: 'isUp',
  summary: 'Is the process up',
  description: 'Stands outside of any base path.',
  answers: {
    200: answer('It is.', Message, { up: { status: true, message: 'up' } }),
  },
});

export const isReady = operation({
  ...service,
  operationId: 'isReady',
  summary: 'Can it serve',
  description:
    'Yes while the store takes writes; no while its disk is full, it is read-only or away, a newer Kashbox has changed ' +
    'its tables, and while the daemon ends. ' +
    'Stands outside of any base path.',
  answers: {
    200: answer('It can.', Message, { ready: { status: true, message: 'ready' } }),
  },
  refusals: [
    'daemon_draining',
    'store_unreachable',
    'store_busy',
    'store_read_only',
    'store_full',
    'store_damaged',
    'store_newer',
  ],
});

export const readDocument = operation({
  ...service,
  operationId: 'readDocument',
  summary: 'This reference for programs',
  description: 'OpenAPI 3.1; client libraries can be generated from it.',
  answers: { 200: { description: 'The document.', schema: Type.Unsafe({ type: 'object' }) } },
});

export const readReference = operation({
  ...service,
  operationId: 'readReference',
  summary: 'This reference for people',
  description: 'One page without scripts, made from the document.',
  answers: { 200: content('The page.', 'text/html') },
});
