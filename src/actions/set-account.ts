/** Says where a brand is paid: on which wallet or bank account, by which code, address or user id. */
import { newRowId } from '../base/ids.js';
import { keyHint } from '../base/secret.js';
import { type AccountDetails, detailsText, readDetails } from '../domain/account-details.js';
import type { AccountTable, Db } from '../store/schema.js';
import {
  activeAccount,
  changeAccount,
  disableAccountRow,
  insertAccount,
  stampAccounts,
} from '../store/tables/accounts.js';
import { writeAudit } from '../store/tables/audit.js';
import { lockMerchant } from '../store/tables/merchants.js';
import { checkAccount } from './account-fields.js';
import type { CheckedAccount, Credentials, TypedAccount, TypedDetails } from './account-input.js';
import type { Core } from './core.js';
import { exchangePurpose } from './look-outside.js';
import { refuse } from './refuse.js';
import { requireBrand } from './required.js';
import { type AccountView, accountView } from './views.js';

export interface SetAccount extends TypedAccount {
  /** Identifier or name. */
  readonly brand: string;
  /** What stands beside the number; what is absent stays as it is while the number does, empty clears it. */
  readonly details?: TypedDetails | undefined;
  /** Bytes of a PNG or JPEG file that shows the QR code, instead of its text. */
  readonly qrImage?: Buffer | undefined;
  /** Of an exchange; absent keeps those that the same number has. */
  readonly credentials?: Credentials | undefined;
  readonly who: string;
}

/**
 * A brand has one active account on each channel and type: another number disables the older one, the same
 * number keeps its row and takes the details that are given.
 * @throws KashboxError `not_found`, `invalid_input`
 */
export async function setAccount(core: Core, input: SetAccount): Promise<AccountView> {
  const checked = await checkAccount(input, await withImage(input));
  const credentials = await checkedCredentials(checked, input.credentials);
  return core.store.write((db) => set(core, db, { checked, credentials, input }));
}

async function withImage({ details = {}, qrImage }: SetAccount): Promise<TypedDetails> {
  if (qrImage === undefined) return details;
  if (details.qr !== undefined) {
    refuse('qr-payload and qr-image were both given', 'One of them is enough: the other says the same.');
  }
  const { readQrImage } = await import('../channels/qr-interbank/image.js');
  const read = await readQrImage(qrImage);
  if (!read.ok) refuse(`qr-image: ${read.fault}`, 'Save the code as a PNG or JPEG file, straight and whole.');
  return { ...details, qr: read.text };
}

async function checkedCredentials(
  { account, isSealed }: CheckedAccount,
  credentials: Credentials | undefined,
): Promise<Credentials | undefined> {
  if (credentials === undefined) return undefined;
  if (!isSealed) {
    refuse(`An account on ${account.channel} has no credentials`, 'Only exchange_pay takes an API key.');
  }
  return (await import('./account-exchange.js')).credentialsField(credentials);
}

interface Setting {
  readonly checked: CheckedAccount;
  readonly credentials: Credentials | undefined;
  readonly input: SetAccount;
}

async function set(core: Core, db: Db, { checked, credentials, input }: Setting): Promise<AccountView> {
  const { account, isSealed } = checked;
  const brand = await requireBrand(db, input.brand);
  await lockMerchant(db, brand.merchant_id);
  const now = core.clock.now();
  const old = await activeAccount(db, brand.id, account.channel, account.type);
  const same = old?.number === account.number ? old : undefined;
  const id = same?.id ?? newRowId(core.random, now, 'account');
  const secret = sealed(core, id, same?.secret ?? null, credentials);
  if (isSealed && secret === null) refuse(...NO_CREDENTIALS);
  const shown: AccountDetails = credentials === undefined ? {} : { key: keyHint(credentials.key) };
  const details = detailsText({
    ...checked.complete(same === undefined ? {} : readDetails(same.details)),
    ...shown,
  });
  const audit = { at: now, who: input.who, action: 'account.set', subject: id };
  if (same !== undefined) {
    if (same.details === details && same.secret === secret)
      return accountView({ ...same, brand: brand.name });
    await changeAccount(db, id, { details, secret });
    await stampAccounts(db, brand.id, newRowId(core.random, now, 'account'));
    const renewed = same.secret === secret ? {} : { credentials: 'replaced' };
    const change = { before: { details: same.details }, after: { details, ...renewed } };
    await writeAudit(db, core.random, { ...audit, ...change });
    return accountView({ ...same, details, brand: brand.name });
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
  };
  await insertAccount(db, row);
  await stampAccounts(db, brand.id, id);
  await writeAudit(db, core.random, {
    ...audit,
    before: old === undefined ? null : { id: old.id, number: old.number },
    after: { brand: brand.id, ...account, details },
  });
  return accountView({ ...row, brand: brand.name });
}

const NO_CREDENTIALS = [
  'The API key and secret of the exchange are missing',
  'Type them where you are asked in a terminal, pipe in two lines with --credentials-stdin, or set ' +
    'KASHBOX_EXCHANGE_KEY and KASHBOX_EXCHANGE_SECRET. A flag would leave them in the list of processes.',
] as const;

/** The same credentials again stay sealed as they are, since every sealing gives another text. */
function sealed(core: Core, id: string, old: string | null, given: Credentials | undefined): string | null {
  if (given === undefined) return old;
  const text = JSON.stringify({ key: given.key, secret: given.secret });
  const purpose = exchangePurpose(id);
  return old !== null && opens(core, old, purpose) === text ? old : core.secrets.seal(text, purpose);
}

/** @returns null where the key file is another than it was: new credentials are the way out of that. */
function opens(core: Core, old: string, purpose: string): string | null {
  try {
    return core.secrets.open(old, purpose);
  } catch {
    return null;
  }
}
