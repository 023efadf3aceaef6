/**
 * Sets the wallet or bank account, code, address or user id on which a brand is paid; disables an account;
 * and reports what is still missing before customers can pay to it.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { keyHint } from '../../base/io/secret.js';
import { dhakaIso } from '../../base/values/clock.js';
import { newRowId } from '../../base/values/ids.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { findPersonalAccount } from '../../channels/qr-interbank/emv.js';
import {
  type AccountDetails,
  detailsText,
  parseAccountDetails,
} from '../../domain/accounts/account-details.js';
import { CHANNEL, isOnChain } from '../../domain/accounts/channels.js';
import { EVERY_BRAND } from '../../domain/matching/quote.js';
import type { AccountTable, Db } from '../../store/schema/index.js';
import {
  activeAccounts,
  changeAccount,
  disableAccountRow,
  insertAccount,
  renewAccountsVersion,
} from '../../store/tables/accounts.js';
import { audit, writeAudit } from '../../store/tables/audit.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { listedNodes } from '../../store/tables/nodes.js';
import { moveQuotes } from '../../store/tables/quotes.js';
import { findRate } from '../../store/tables/rates.js';
import { openPaymentsSince } from '../../store/tables/sessions.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';
import { takaField } from '../input/fields.js';
import { requireAccount, requireBrand } from '../input/require-row.js';
import type { Account, CheckedAccount, Credentials, TypedAccount, TypedDetails } from './account-input.js';
import { type AccountView, accountView } from './account-view.js';
import { checkAccount, readCodePicture } from './check-account.js';

export interface SetAccount extends TypedAccount {
  /** Identifier or name. */
  readonly brand: string;
  /**
   * Details of the account. Absent ones stay unchanged while the number is the same; empty ones are cleared.
   */
  readonly details?: TypedDetails | undefined;
  /** Bytes of a PNG or JPEG file that shows the QR code, instead of its text. */
  readonly qrImage?: Buffer | undefined;
  /** Credentials of an exchange; absent keeps the stored ones of the same number. */
  readonly credentials?: Credentials | undefined;
  /** True to set up a further number of that wallet and type, instead of replacing the only one. */
  readonly isFurther?: boolean | undefined;
  /** Limits of a wallet number in taka, as typed. Absent ones stay unchanged; empty ones are cleared. */
  readonly dayLimit?: string | undefined;
  readonly monthLimit?: string | undefined;
  readonly who: string;
}

/** The account that another one has replaced. */
interface ReplacedAccount {
  readonly id: string;
  readonly number: string;
  /** Payments that may still be paid and were opened while it was shown: money that arrives there counts. */
  readonly open_payments: number;
  /** Time at which the last of them expires; null if there are none. */
  readonly until: string | null;
}

export interface SetAccountView extends AccountView {
  /** Null where it replaced none. */
  readonly replaced: ReplacedAccount | null;
  /** Name in the personal QR code that the account had before, if it is another; else null. */
  readonly renamed_from: string | null;
}

/**
 * The same number keeps its row and takes the details that are given. Another number disables the only older
 * one of that channel and type, unless it is a further one. What customers were shown stays due: the disabled
 * one counts for the payments that were opened before.
 * @throws KashboxError `not_found`, `invalid_input`
 */
export async function setAccount(core: Core, input: SetAccount): Promise<SetAccountView> {
  const checked = await checkAccount(input, await withImage(input));
  const credentials = await checkedCredentials(checked, input.credentials);
  requireWalletFor(checked.account, input);
  return core.store.write((db) => set(core, db, { checked, credentials, input }));
}

async function withImage({ details = {}, qrImage }: SetAccount): Promise<TypedDetails> {
  if (qrImage === undefined) return details;
  if (details.qr !== undefined) {
    refuse('qr-payload and qr-image were both given', 'One of them is enough: the other says the same.');
  }
  return { ...details, qr: await readCodePicture(qrImage) };
}

async function checkedCredentials(
  { account }: CheckedAccount,
  credentials: Credentials | undefined,
): Promise<Credentials | undefined> {
  if (credentials === undefined) return undefined;
  if (!CHANNEL[account.channel].isSealed) {
    refuse(`An account on ${account.channel} has no credentials`, 'Only exchange_pay takes an API key.');
  }
  return (await import('./check-exchange.js')).validateCredentials(credentials);
}

function requireWalletFor({ channel }: Account, { isFurther, dayLimit, monthLimit }: SetAccount): void {
  if (CHANNEL[channel].kind === 'sms') return;
  if (isFurther === true) {
    refuse(
      `A brand has one account of a type on ${channel}`,
      'Leave --add out: the new account then replaces the old one. Only wallets take several numbers.',
    );
  }
  if (dayLimit !== undefined || monthLimit !== undefined) {
    refuse(`An account on ${channel} has no limits`, 'Only wallet numbers have a day and a month limit.');
  }
}

type LimitColumns = Pick<AccountTable, 'day_limit_paisa' | 'month_limit_paisa'>;

function limitsOf({ dayLimit, monthLimit }: SetAccount, same: AccountTable | undefined): LimitColumns {
  const limit = (typed: string | undefined, kept: Paisa | null) => {
    if (typed === undefined) return kept;
    if (typed.trim() === '') return null;
    const paisa = takaField(typed);
    return paisa > 0 ? paisa : refuse('A limit must be above 0', 'An empty limit ("") clears it.');
  };
  return {
    day_limit_paisa: limit(dayLimit, same?.day_limit_paisa ?? null),
    month_limit_paisa: limit(monthLimit, same?.month_limit_paisa ?? null),
  };
}

/** @returns the account that the new number replaces, if any. */
function replacedBy(
  account: Account,
  { isFurther = false }: SetAccount,
  active: readonly AccountTable[],
): AccountTable | undefined {
  const [old, ...more] = active;
  if (isFurther || active.some(({ number }) => number === account.number)) return undefined;
  if (more.length === 0) return old;
  return refuse(
    `The brand has ${active.length} ${account.type} numbers on ${account.channel}: ${active.map(({ number }) => number).join(', ')}`,
    `Add --add to set up ${account.number} as well, or disable one first: kashbox accounts disable.`,
  );
}

interface NewAccount {
  readonly checked: CheckedAccount;
  readonly credentials: Credentials | undefined;
  readonly input: SetAccount;
}

async function set(core: Core, db: Db, { checked, credentials, input }: NewAccount): Promise<SetAccountView> {
  const { account } = checked;
  const { isSealed, isBinding } = CHANNEL[account.channel];
  const brand = await requireBrand(db, input.brand);
  if (brand.test_of !== null) throw hasItsAccounts(brand.name);
  await lockMerchant(db, brand.merchant_id);
  const now = core.clock.now();
  const active = await activeAccounts(db, brand.id, account.channel, account.type);
  const same = active.find(({ number }) => number === account.number);
  const old = replacedBy(account, input, active);
  const limits = limitsOf(input, same);
  const shown: AccountDetails = credentials === undefined ? {} : { key: keyHint(credentials.key) };
  const details = detailsText({
    ...checked.complete(same === undefined ? {} : parseAccountDetails(same.details)),
    ...shown,
  });
  const id = same?.id ?? newRowId(core.random, now, 'account');
  const secret = sealed(core, id, same?.secret ?? null, credentials);
  if (isSealed && secret === null) refuse(...NO_CREDENTIALS);
  const audit = { at: now, who: input.who, action: 'account.set', subject: id };
  if (same !== undefined) {
    const nameBefore = findPersonalAccount(parseAccountDetails(same.details).qr)?.name ?? null;
    const renewed = accountView({ ...same, details, ...limits, brand: brand.name });
    const isRenamed = renewed.personal_qr !== null && renewed.personal_qr.name !== nameBefore;
    const view = { ...renewed, replaced: null, renamed_from: isRenamed ? nameBefore : null };
    const before = { details: same.details, ...limitsIn(same) };
    const after = { details, ...limitsIn(limits) };
    if (same.secret === secret && JSON.stringify(before) === JSON.stringify(after)) return view;
    if (same.details !== details && isBinding) await retireTerms(core, db, same);
    await changeAccount(db, id, { details, secret, ...limits });
    await renewAccountsVersion(db, brand.id, newRowId(core.random, now, 'account'));
    const keys = same.secret === secret ? {} : { credentials: 'replaced' };
    const change = { before, after: { ...after, ...keys } };
    await writeAudit(db, core.random, { ...audit, ...change });
    return view;
  }
  if (old !== undefined) await disableAccountRow(db, old.id, now);
  const row: AccountTable = {
    id,
    brand_id: brand.id,
    ...account,
    active: 1,
    created_at: now,
    disabled_at: null,
    details,
    secret,
    ...limits,
  };
  await insertAccount(db, row);
  await renewAccountsVersion(db, brand.id, id);
  await writeAudit(db, core.random, {
    ...audit,
    before: old === undefined ? null : { id: old.id, number: old.number },
    after: { brand: brand.id, ...account, details, ...limitsIn(limits) },
  });
  const replaced = old === undefined ? null : await replacedAccount(db, old, now);
  return { ...accountView({ ...row, brand: brand.name }), replaced, renamed_from: null };
}

/** The limits that are set, for the audit. */
function limitsIn({ day_limit_paisa: day, month_limit_paisa: month }: LimitColumns) {
  return {
    ...(day === null ? {} : { day_limit: formatTaka(day) }),
    ...(month === null ? {} : { month_limit: formatTaka(month) }),
  };
}

function hasItsAccounts(brand: string): KashboxError {
  return new KashboxError('state_refused', {
    message: `"${brand}" is a test brand, which cannot receive real money`,
    hint: 'It has test accounts on every wallet. Add real accounts to a live brand.',
  });
}

/** Keeps the details that customers were shown, as a disabled account to which their payments belong. */
async function retireTerms(core: Core, db: Db, shown: AccountTable): Promise<void> {
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'account');
  await insertAccount(db, { ...shown, id, active: 0, disabled_at: now });
  await moveQuotes.all(db, { from: shown.id, to: id });
}

async function replacedAccount(db: Db, old: AccountTable, now: number): Promise<ReplacedAccount> {
  const { id, number, brand_id: brand, created_at: since } = old;
  const shown = await openPaymentsSince.first(db, { brand, since, now });
  const until = shown?.until ?? null;
  return {
    id,
    number,
    open_payments: Number(shown?.count ?? 0),
    until: until === null ? null : dhakaIso(until),
  };
}

const NO_CREDENTIALS = [
  'The API key and secret of the exchange are missing',
  'Type them at the prompt in a terminal, pipe two lines with --credentials-stdin, or set ' +
    'KASHBOX_EXCHANGE_KEY and KASHBOX_EXCHANGE_SECRET. A flag would leave them in the list of processes.',
] as const;

/** Seals the credentials. Unchanged ones keep their sealed text, since sealing differs each time. */
function sealed(core: Core, id: string, old: string | null, given: Credentials | undefined): string | null {
  if (given === undefined) return old;
  const text = JSON.stringify({ key: given.key, secret: given.secret });
  const purpose = sealPurpose('exchange', id);
  return old !== null && opens(core, old, purpose) === text ? old : core.secrets.seal(text, purpose);
}

/** @returns null where the key file has changed; new credentials repair that. */
function opens(core: Core, old: string, purpose: string): string | null {
  try {
    return core.secrets.open(old, purpose);
  } catch {
    return null;
  }
}

/** An account that is disabled already stays so, without an audit row. @throws KashboxError `not_found` */
export async function disableAccount(
  core: Core,
  input: { readonly id: string; readonly who: string },
): Promise<AccountView> {
  return core.store.write(async (db) => {
    const row = await requireAccount(db, input.id);
    if (row.active === 0) return accountView(row);
    const now = core.clock.now();
    await disableAccountRow(db, row.id, now);
    await renewAccountsVersion(db, row.brand_id, newRowId(core.random, now, 'account'));
    await audit(core, db, input.who, 'account.disable', row.id, {
      before: { active: true },
      after: { active: false },
    });
    return accountView({ ...row, active: 0, disabled_at: now });
  });
}

/** @returns sentences for the operator, each with a remedy; empty if nothing is missing. */
export async function accountAdvice(core: Core, account: AccountView): Promise<string[]> {
  return core.store.read(async (db) => [
    ...(await missingRate(db, account)),
    ...(await missingNode(db, account)),
    ...(await missingAcquirer(db, account)),
  ]);
}

async function missingRate(db: Db, { channel, brand_id, brand }: AccountView): Promise<string[]> {
  if (CHANNEL[channel].kind !== 'pull') return [];
  const rate = await findRate.first(db, { brand: brand_id, every: EVERY_BRAND });
  if (rate !== undefined) return [];
  return [`USDT is not offered before you set its rate in taka: kashbox rates set 120.50 --brand "${brand}"`];
}

async function missingNode(db: Db, { channel, details }: AccountView): Promise<string[]> {
  if (!isOnChain(channel)) return [];
  const { chain_id = '' } = details;
  if ((await listedNodes(db, Number(chain_id))).length > 0) return [];
  return [
    `No payment is seen before you add a node of chain ${chain_id}: ` +
      `kashbox nodes add --public --chain ${chain_id}`,
  ];
}

async function missingAcquirer(db: Db, { channel, brand_id }: AccountView): Promise<string[]> {
  if (CHANNEL[channel].kind !== 'push') return [];
  const acquirer = await db.query
    .selectFrom('acquirers as a')
    .innerJoin('brands as b', 'b.merchant_id', 'a.merchant_id')
    .where('b.id', '=', brand_id)
    .where('a.revoked_at', 'is', null)
    .select('a.id')
    .limit(1)
    .executeTakeFirst();
  if (acquirer !== undefined) return [];
  return [
    'No payment is seen before the bank can report it: ' +
      'kashbox acquirers create --merchant MERCHANT --name BANK',
  ];
}
