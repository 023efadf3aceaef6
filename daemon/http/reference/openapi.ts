/** OpenAPI 3.1, as far as we write it and its page reads it. */
import { numberWord } from '../../../src/base/values/text.js';
import { MAX_TRIES, RETRY_DAYS } from '../../../src/domain/notifications/notification.js';

/** JSON Schema as it appears in the document. */
export type DocumentedSchema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: DocumentedSchema;
  readonly example?: string;
  /** Other names that are accepted. */
  readonly 'x-aliases'?: readonly string[];
}

export interface MediaType {
  readonly schema: DocumentedSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

export interface DocumentedAnswer {
  readonly description: string;
  readonly headers?: DocumentedSchema;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly DocumentedSchema[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  /** Notifications to shops, by the name of their kind. */
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: {
    /** Shapes of bodies and answers by name. */
    readonly schemas: Readonly<Record<string, DocumentedSchema>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** Gives a shape a name, under which generated clients have it as a type. @returns a reference to it. */
export type Refer = (name: string, schema: DocumentedSchema) => DocumentedSchema;

/** Reference to the schema of every refusal. */
export const ERROR_REF = '#/components/schemas/ErrorResponse';

/** The parts of the reference, in their order. */
export const TAGS = {
  hosted: {
    name: 'Hosted payments (v1)',
    description:
      'The customer is sent to a page of Kashbox and comes back. Open the payment, send the customer to ' +
      '`payment_url`, and verify before you deliver: anybody can type the address of your thank-you page.',
  },
  headless: {
    name: 'Headless payments (v2)',
    description:
      'Your shop shows the numbers of `methods` and takes the transaction id of the customer’s SMS itself. ' +
      'An SMS arrives 5 to 20 seconds after the payment: ask verify every 5 seconds, up to 3 times, before ' +
      'you say that something is wrong.',
  },
  notifications: {
    name: 'Notifications',
    description:
      'What Kashbox POSTs to your server, signed with the webhook secret of the brand, as JSON or as a form. ' +
      `Answer 200 within 5 seconds; else it is sent again, up to ${numberWord(MAX_TRIES)} times in ` +
      `${numberWord(RETRY_DAYS)} days. It may come twice, or out of order.`,
  },
  relay: {
    name: 'Relay phones',
    description:
      'What the phone that receives the wallets’ SMS calls, and what a script may call in its place.',
  },
  sms: {
    name: 'Sending SMS',
    description:
      'Texts that a relay phone sends for a shop, such as “your order is on its way”. The Gateway Key belongs to ' +
      'one phone; `kashbox devices enroll` prints it.',
  },
  banks: {
    name: 'Banks',
    description: 'What a bank or acquirer calls to tell of payments to a merchant’s QR code.',
  },
  service: { name: 'Service', description: 'For watchdogs and programmers. No key is needed.' },
} as const;
