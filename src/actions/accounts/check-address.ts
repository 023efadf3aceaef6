/** A wallet address on a chain, as an operator types it (`bep20`). Loads ethers. */
import { refuse } from '../../base/errors/refuse.js';
import { hasPublishedKey, parseAddress } from '../../channels/bep20/address.js';
import { DEFAULT_CHAIN_ID, findNetwork, NETWORKS, type Network } from '../../channels/bep20/networks.js';
import { type AccountDetails, CHAIN_DETAILS } from '../../domain/accounts/account-details.js';
import {
  type CheckedAccount,
  detailFields,
  numberField,
  type TypedAccount,
  type TypedDetails,
  typeField,
} from './account-input.js';

const CHANNEL = 'bep20';

/** @throws KashboxError `invalid_input` */
export function checkAddress(typed: TypedAccount, details: TypedDetails): CheckedAccount {
  const type = typeField(typed, ['transfer']);
  const hint = 'Use the receiving address that your own wallet shows: 0x and 40 characters.';
  const read = parseAddress(numberField(typed.number, hint));
  if (!read.ok) refuse(`number ${read.fault}`, hint);
  const given = detailFields(CHANNEL, CHAIN_DETAILS, details);
  return {
    account: { channel: CHANNEL, type, number: read.address },
    complete: (kept) => {
      const complete = chainDetails(given, kept);
      refusePublished(read.address, complete);
      return complete;
    },
  };
}

/** A chain for development may use it. @param address spelled with its checksum. */
function refusePublished(address: string, { chain_id }: AccountDetails): void {
  if (chain_id !== String(DEFAULT_CHAIN_ID) || !hasPublishedKey(address)) return;
  refuse(
    `number ${address} is not safe: its private key is published for development`,
    'Anyone could take what customers pay there. Give the address of your own wallet.',
  );
}

/** Defaults are the chain's. Values of another chain are dropped. */
function chainDetails(given: AccountDetails, kept: AccountDetails): AccountDetails {
  const network = networkField(given.chain_id || kept.chain_id || String(DEFAULT_CHAIN_ID));
  const chain_id = String(network.chainId);
  const same = kept.chain_id === chain_id ? kept : {};
  return {
    chain_id,
    network: given.network || same.network || network.name,
    token: given.token === undefined ? (same.token ?? network.token) : tokenField(given.token, network),
    decimals: String(network.decimals),
  };
}

function networkField(chainId: string): Network {
  const network = findNetwork(/^\d{1,9}$/.test(chainId) ? Number(chainId) : Number.NaN);
  if (network !== undefined) return network;
  const known = NETWORKS.map(({ chainId: id, name }) => `${id} (${name})`).join(' or ');
  return refuse(`chain "${chainId}" is not one that this version knows`, `Choose ${known}.`);
}

/** Accepts only the official contract on a real chain; a test chain may have another token. */
function tokenField(typed: string, network: Network): string {
  if (typed === '' || typed.toLowerCase() === network.token.toLowerCase()) return network.token;
  if (network.chainId === DEFAULT_CHAIN_ID) {
    refuse(
      `token ${typed} is not USDT: on chain ${network.chainId} only ${network.token} is`,
      'Leave --token out. Other tokens that are called USDT there are worth nothing.',
    );
  }
  const read = parseAddress(typed);
  if (!read.ok) refuse(`token ${read.fault}`, `Leave --token out for ${network.token}.`);
  return read.address;
}
