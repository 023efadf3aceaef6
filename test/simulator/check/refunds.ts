/** Rules of money that is sent back, and of payments in parts. Knows nothing of how Kashbox works. */
import type { Observed } from '../world/observed.js';
import type { Ledger } from './ledger.js';

/** @returns what is wrong, one line each; nothing where all holds. */
export function refundFaults(observed: Observed, ledger: Ledger): string[] {
  return [...sums(ledger), ...completions(observed, ledger), ...owners(observed, ledger)];
}

const sumOf = (rows: readonly { readonly paisa: number }[]) =>
  rows.reduce((sum, { paisa }) => sum + paisa, 0);

/** A payment's sums are those of its credits and refunds, and never is more sent back than was paid. */
function sums({ sessions, credits, refunds }: Ledger): string[] {
  const faults: string[] = [];
  for (const [id, { paid, refunded, paisa, takesParts }] of sessions) {
    const own = credits.filter(({ session }) => session === id);
    const back = refunds.filter(({ session, state }) => session === id && state !== 'CANCELLED');
    const done = back.filter(({ state }) => state === 'COMPLETED');
    if (paid !== sumOf(own)) faults.push(`paid ${paid}, and ${sumOf(own)} was credited: session ${id}`);
    if (refunded !== sumOf(done)) faults.push(`refunded ${refunded} of ${sumOf(done)}: session ${id}`);
    // A program requests each under one key, however often, and one payer's money goes back at once.
    const requested = refunds.filter(({ session, madeBy }) => session === id && madeBy === 'api');
    if (requested.length > own.length) faults.push(`requested once, created twice: session ${id}`);
    if (sumOf(back) > paid) faults.push(`sends back ${sumOf(back)} of ${paid}: session ${id}`);
    if (own.some(({ rest }) => rest > 0) && !takesParts) faults.push(`takes no parts: session ${id}`);
    let rest = paisa;
    for (const credit of own.toSorted((one, other) => other.rest - one.rest)) {
      if (credit.rest > 0 && credit.rest !== rest - credit.paisa) faults.push(`wrong rest: session ${id}`);
      rest = credit.rest;
    }
  }
  return faults;
}

/** A rule completes a refund by a transfer that was made: of its sum, to its payer, once. */
function completions({ transfers, byHand }: Observed, { refunds, credits, notifications }: Ledger): string[] {
  const faults: string[] = [];
  const used = new Set<string>();
  for (const { id, state, by, reference, payee, paisa, session, proof } of refunds) {
    if (session === null && state !== 'CANCELLED' && credits.some((credit) => credit.proof === proof))
      faults.push(`sent back, and credited: proof ${proof}`);
    if (state !== 'COMPLETED') continue;
    if (used.has(reference ?? '')) faults.push(`transfer ${reference} completes two refunds`);
    used.add(reference ?? '');
    const made = transfers.find((one) => one.reference === reference);
    if (by !== 'rule') {
      if (!byHand.has(id)) faults.push(`completed by "${by}", who did nothing: refund ${id}`);
    } else if (made === undefined) faults.push(`completed by a text without a transfer: refund ${id}`);
    else if (made.paisa !== paisa || made.payee !== payee) faults.push(`another transfer: refund ${id}`);
  }
  for (const session of new Set(refunds.map((refund) => refund.session))) {
    const done = refunds.filter((one) => one.session === session && one.state === 'COMPLETED').length;
    const told = notifications.filter(
      (one) => one.session === session && one.event === 'payment.refunded',
    ).length;
    if (session !== null && done !== told)
      faults.push(`told of ${told} of ${done} refunds: session ${session}`);
  }
  return faults;
}

/** What an owner was told is created is there, goes to the payer, and no transfer is overlooked. */
function owners({ refunds: made, transfers, stored, money }: Observed, { refunds, sent }: Ledger): string[] {
  const ids = new Set(refunds.map(({ id }) => id));
  const seen = new Set(sent);
  return [
    ...[...made].flatMap((id) => (ids.has(id) ? [] : [`lost: refund ${id}`])),
    ...refunds.flatMap(({ id, payee, money: reference }) => {
      const payer = money.find((one) => one.reference === reference)?.payer;
      return payee === null || payee === payer ? [] : [`goes to ${payee}, not to ${payer}: refund ${id}`];
    }),
    ...transfers.flatMap(({ text, reference }) =>
      stored.has(text) && !seen.has(reference) ? [`overlooked: transfer ${reference}`] : [],
    ),
  ];
}
