/** A shop with credits in a chain, and how somebody changes its store without Kashbox. */
import type { ExecutionContext } from 'ava';
import { ChainExtender, SCAN_WINDOWS_MS } from '../../../src/actions/audit/extend-chain.js';
import {
  type AuditVerified,
  type VerifyOrder,
  verifyAudit,
} from '../../../src/actions/audit/verify-audit.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import type { Core, CoreOptions } from '../../../src/actions/core/core.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { bkashId, bkashText, openShop, type Shop } from '../../helpers/shop/shop.js';
import { openTestCore, type TestClock, testClock } from '../../helpers/stores/engines.js';

export interface ChainedShop {
  readonly core: Core;
  readonly clock: TestClock;
  readonly shop: Shop;
}

/** @returns the id of a payment of 500 taka that was paid. */
export async function pay({ core, shop }: ChainedShop, serial: number): Promise<string> {
  const session = await shop.order(50_000);
  const reference = bkashId(core.clock.now(), serial);
  await shop.receive(bkashText({ taka: '500.00', trxId: reference, at: core.clock.now() }));
  await verifyClaim(core, { brand: shop.brand, sessionId: session, method: 'mfs_a', reference });
  return session;
}

/** With three payments, a second apart, of which all is in the chain. */
export async function chainedShop(
  t: ExecutionContext<unknown>,
  engine: Engine,
  options: Partial<CoreOptions> = {},
): Promise<ChainedShop> {
  const clock = testClock();
  const core = await openTestCore(t, engine, { clock, ...options });
  const scene = { core, clock, shop: await openShop(core) };
  for (let serial = 0; serial < 3; serial += 1) {
    await pay(scene, serial);
    clock.advance(1_000);
  }
  await extend(core);
  return scene;
}

/** Puts all that there is into the chain. @returns how many entries were made, round by round. */
export async function extend(core: Core, reachMs: number = SCAN_WINDOWS_MS.far): Promise<readonly number[]> {
  const extender = new ChainExtender(core);
  const made: number[] = [];
  for (;;) {
    const { added, isOver } = await extender.round(reachMs);
    if (isOver) return made;
    made.push(added);
  }
}

export function verify(core: Core, order: Partial<VerifyOrder> = {}): Promise<AuditVerified> {
  const { signal } = new AbortController();
  return verifyAudit(core, { expected: null, signal, onRows: () => {}, ...order });
}

/** Behind Kashbox's back: keys that refer to others do not keep anybody off who means it. */
export async function tamper(core: Core, ...statements: readonly string[]): Promise<void> {
  if (core.store.engine === 'sqlite') {
    const { SqliteFile } = await import('../../../src/store/sqlite-driver.js');
    const raw = new SqliteFile(core.home.storeFile);
    raw.exec('PRAGMA foreign_keys = OFF');
    for (const statement of statements) raw.exec(statement);
    raw.close();
    return;
  }
  await core.store.write(async (db) => {
    await db.execute("SET LOCAL session_replication_role = 'replica'", []);
    for (const statement of statements) await db.execute(statement, []);
  });
}

/** The second credit, with the payment that it is of. */
export async function aCredit(core: Core) {
  return core.store.read((db) =>
    db.query
      .selectFrom('transactions as t')
      .innerJoin('sessions as s', 's.id', 't.session_id')
      .orderBy('t.id')
      .offset(1)
      .limit(1)
      .select(['t.id', 't.session_id', 't.credited_at', 's.gateway_reference'])
      .executeTakeFirstOrThrow(),
  );
}
