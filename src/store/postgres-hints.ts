/**
 * Hints between processes on one PostgreSQL, by NOTIFY and LISTEN: "this has changed, read again". They are
 * lost if a connection breaks, and engines without LISTEN have none; so each process also polls the store.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { PROBE_AFTER_MS } from './postgres-hosts.js';
import type { Hint, StoreHints } from './store.js';

const CHANNEL = 'kashbox';
/** NOTIFY takes texts of up to 8,000 bytes. */
const HINTS_IN_ONE = 100;
/** Time in which hints are collected and sent together, ms: each payload wakes every listening process. */
const GATHER_MS = 30;
const RECONNECT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const GOODBYE_MS = 1_000;
/** A feature that is not supported, or a statement that is not understood. */
const NOT_KNOWN = /^(0A|42)/;

interface HintMessage {
  /** Id of the sending process, which ignores its own hints. */
  readonly from: string;
  readonly hints: readonly Hint[];
}

/**
 * @param address of the server in use, for the connection that listens.
 * @param notify sends `SELECT pg_notify($1, $2)` with these two values.
 */
export function createHints(
  address: () => string,
  notify: (channel: string, text: string) => Promise<unknown>,
): StoreHints & {
  /** Called when another server is in use: the listening connection moves to it. */
  move(): void;
  close(): Promise<void>;
} {
  const listeners = new Set<Listener>();
  const from = randomUUID();
  const gathered: Hint[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  function sendAll(): void {
    clearTimeout(timer);
    timer = undefined;
    while (gathered.length > 0) {
      const told: HintMessage = { from, hints: gathered.splice(0, HINTS_IN_ONE) };
      const sent = notify(CHANNEL, JSON.stringify(told)).catch(() => {});
      sending = Promise.all([sending, sent]);
    }
  }

  return {
    send(hint) {
      gathered.push(hint);
      timer ??= setTimeout(sendAll, GATHER_MS);
    },
    listen(hear) {
      const listener = listen(address, (told) => told.from !== from && told.hints.forEach(hear));
      listeners.add(listener);
      return async () => {
        listeners.delete(listener);
        await listener.end();
      };
    },
    move() {
      for (const listener of listeners) listener.move();
    },
    async close() {
      sendAll();
      await sending;
    },
  };
}

interface Listener {
  /** Connects to the server that is in use now. */
  move(): void;
  end(): Promise<void>;
}

function listen(address: () => string, hear: (told: HintMessage) => void): Listener {
  let isOver = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Drops the current connection and reconnects after that delay, ms. */
  let leave: (waitMs: number) => void = () => {};

  const connect = async (): Promise<void> => {
    const own = new pg.Client({
      connectionString: address(),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    });
    client = own;
    let isLost = false;
    const leaveOwn = (waitMs: number) => {
      if (isLost) return;
      isLost = true;
      void hangUp(own);
      if (!isOver) timer = setTimeout(connect, waitMs).unref();
    };
    const lose = () => leaveOwn(RECONNECT_MS);
    leave = leaveOwn;
    own.on('error', lose).on('end', lose);
    own.on('notification', ({ payload }) => {
      const told = parseHintMessage(payload);
      if (told !== null) hear(told);
    });
    try {
      await own.connect();
      await own.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      // An engine without LISTEN will not have it in five seconds either.
      if (error instanceof pg.DatabaseError && NOT_KNOWN.test(error.code ?? '')) isOver = true;
      lose();
    }
  };
  const connecting = connect();
  return {
    move: () => leave(0),
    async end() {
      isOver = true;
      clearTimeout(timer);
      await connecting;
      if (client !== undefined) await hangUp(client);
    },
  };
}

/** A server that is gone without a word does not answer the goodbye either. */
async function hangUp(client: pg.Client): Promise<void> {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } };
  const late = setTimeout(() => connection.stream.destroy(), GOODBYE_MS);
  await client.end().catch(() => {});
  clearTimeout(late);
}

/** Anybody with the database's password may say anything on the channel. */
function parseHintMessage(payload: string | undefined): HintMessage | null {
  try {
    const { from, hints } = JSON.parse(payload ?? '') as Partial<HintMessage>;
    const isTold = typeof from === 'string' && Array.isArray(hints) && hints.every(isHint);
    return isTold ? { from, hints } : null;
  } catch {
    return null;
  }
}

function isHint(value: unknown): value is Hint {
  const { topic, id } = (value ?? {}) as Partial<Hint>;
  return typeof topic === 'string' && typeof id === 'string';
}
