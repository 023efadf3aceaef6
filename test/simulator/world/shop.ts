/** A shop's website: it opens payments, passes on what customers claim, and hears notifications. */
import { authenticateBrand } from '../../../src/actions/access/authenticate-brand.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import type { Core } from '../../../src/actions/core/core.js';
import { type RequestedRefund, requestRefund } from '../../../src/actions/refunds/create-refund.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { type CreatedSession, createSession } from '../../../src/actions/sessions/create-session.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import { parseUsdt } from '../../../src/base/values/usdt.js';
import type { Channel } from '../../../src/domain/accounts/channels.js';
import type { AttemptResult } from '../../../src/domain/notifications/notification.js';
import type { Post } from '../../../src/notify/send.js';
import { SIGNATURE_HEADER, signatureHeaders } from '../../../src/notify/signature.js';
import type { Chance } from '../machine/chance.js';
import { LOST, type Network } from '../machine/network.js';
import type { OwnTimers } from '../machine/time.js';
import type { GroundShop } from './ground.js';
import type { Daemon } from './machine.js';
import type { Observed, Order } from './observed.js';

/** Where the customers of hosted payments go afterwards. */
export const HOSTED = {
  successUrl: 'https://shop.example/paid',
  cancelUrl: 'https://shop.example/cart',
  webhookUrl: null,
  returnType: 'GET',
} as const;

/** What a caller of the daemon gets: its answer, or the code of its refusal, or nothing at all. */
export type Answer<T> = { readonly value: T } | { readonly refused: string } | typeof LOST;

/** @returns null without an answer, and for a refusal. */
export function answerOf<T>(answer: Answer<T>): T | null {
  return answer !== LOST && 'value' in answer ? answer.value : null;
}

export interface ShopParts {
  readonly network: Network;
  readonly timers: OwnTimers;
  readonly observed: Observed;
  daemons(): readonly Daemon[];
}

export interface Opened extends Order {
  readonly flow: 'hosted' | 'headless';
  readonly paymentReference: string | null;
}

export class Shop {
  /** How its server takes notifications. */
  mood: 'fine' | 'down' | 'slow' = 'fine';
  private readonly name: string;
  private readonly heard = new Map<string, string>();

  constructor(
    readonly index: number,
    private readonly ground: GroundShop,
    private readonly parts: ShopParts,
  ) {
    this.name = `shop${index}`;
  }

  /** One call to any of the daemons. */
  async call<T>(chance: Chance, work: (core: Core) => Promise<T>): Promise<Answer<T>> {
    const { network, timers, daemons } = this.parts;
    const daemon = chance.pick(daemons());
    return network.call({ from: this.name, to: daemon.name, timers }, async (): Promise<Answer<T>> => {
      try {
        return { value: await daemon.serve(work) };
      } catch (error) {
        if (isKashboxError(error)) return { refused: error.code };
        throw error;
      }
    });
  }

  private brand(core: Core) {
    return authenticateBrand(core, { credentials: [this.ground.key], ip: '203.0.113.1' });
  }

  /** @returns null where no answer came: a payment may have been opened, but nobody will pay it. */
  async open(chance: Chance, paisa: number, takesParts = false): Promise<Opened | null> {
    const flow = chance.is(0.5) ? 'hosted' : 'headless';
    const answer = await this.call(chance, async (core) =>
      createSession(core, {
        brand: await this.brand(core),
        hosted: flow === 'hosted' ? HOSTED : null,
        cusName: 'Customer',
        cusEmail: '',
        amountPaisa: paisa,
        takesParts,
        metaJson: null,
      }),
    );
    const created = answerOf(answer);
    if (created === null) return null;
    const { id: session, paymentReference } = created;
    const order = { session, shop: this.index, paisa, units: unitsOf(created), must: null };
    const opened = { ...order, flow, paymentReference } as const;
    this.parts.observed.orders.push(opened);
    return opened;
  }

  /** Passes on what a customer says was paid. @returns the outcome, or the code of the refusal. */
  async claim(
    chance: Chance,
    { session, flow }: Opened,
    channel: Channel,
    reference: string,
  ): Promise<string> {
    const answer = await this.call(chance, async (core) => {
      if (flow === 'hosted') return claimCheckout(core, { sessionId: session, channel, text: reference });
      return verifyClaim(core, {
        brand: await this.brand(core),
        sessionId: session,
        method: channel,
        reference,
      });
    });
    if (answer === LOST) return 'lost';
    if ('refused' in answer) return answer.refused;
    const { outcome } = answer.value;
    if (outcome === 'completed') this.parts.observed.completed.push({ session, reference });
    return outcome;
  }

  /** Its program requests a refund of what a payment has brought. */
  requestRefund(
    chance: Chance,
    request: Omit<Parameters<typeof requestRefund>[1], 'brand'>,
  ): Promise<Answer<RequestedRefund>> {
    return this.call(chance, async (core) =>
      requestRefund(core, { ...request, brand: await this.brand(core) }),
    );
  }

  async cancel(chance: Chance, { session }: Opened): Promise<void> {
    await this.call(chance, (core) => cancelSession(core, session));
  }

  /** Hears a notification, as a shop that checks its signature and knows what it has heard before. */
  hear(post: Post): Pick<AttemptResult, 'outcome' | 'status' | 'detail'> {
    const { headers, content } = post;
    if (this.mood === 'down') return { outcome: 'refused', status: 503, detail: 'down' };
    const told = JSON.parse(content) as { session_id: string; id: string; event: string; sequence: number };
    const at = Number(headers['webhook-timestamp']) * 1_000;
    const secrets = [this.ground.webhookSecret];
    const signed = signatureHeaders({ id: headers['webhook-id'] ?? '', at, content, secrets });
    if (signed[SIGNATURE_HEADER] !== headers[SIGNATURE_HEADER] || headers['webhook-id'] !== told.id) {
      return { outcome: 'refused', status: 401, detail: 'the signature is wrong' };
    }
    this.heard.set(told.id, content);
    const { session_id: session, id, event, sequence } = told;
    this.parts.observed.told.push({ session, id, event, sequence, content });
    return { outcome: 'delivered', status: 200, detail: 'answered 200' };
  }
}

function unitsOf({ methods }: CreatedSession): bigint | null {
  const amount = methods.find(({ name }) => name === 'bep20')?.amount_usdt;
  return amount === undefined ? null : parseUsdt(String(amount));
}
