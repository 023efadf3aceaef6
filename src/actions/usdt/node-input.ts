/** Nodes as operators type them: which chain, which address. Knows no store. */
import { KashboxError } from '../../base/errors/errors.js';
import { NETWORKS, type Network, networkOf } from '../../channels/bep20/networks.js';
import { mayCall } from '../../channels/sources.js';
import { MAX_URL } from '../input/fields.js';

/** @throws KashboxError `invalid_input` */
export function chainField(chainId: number): Network {
  const network = networkOf(chainId);
  if (network !== undefined) return network;
  throw new KashboxError('invalid_input', {
    message: `chain ${chainId} is unknown`,
    hint: `Give one of these: ${NETWORKS.map(({ chainId: id, name }) => `${id} (${name})`).join(', ')}.`,
  });
}

/**
 * The address is never repeated in an error: it may hold a key.
 * @throws KashboxError `invalid_input`
 */
export function nodeAddress(typed: string): URL {
  const text = typed.trim();
  const isPlain = text.length <= MAX_URL && /^[a-z]+:\/\/[^\s\\/?#]+[^\s\\]*$/i.test(text);
  if (!isPlain || !URL.canParse(text)) {
    throw refusal('is no address', 'Copy it whole from your provider: https://… on one line.');
  }
  const url = new URL(text);
  if (url.protocol === 'ws:' || url.protocol === 'wss:') {
    throw refusal('is one of a websocket', 'Your provider has an https address of the same node; give that.');
  }
  if (mayCall(url)) return url;
  throw refusal(
    'must be https',
    'Plain http is for a node on this machine (http://127.0.0.1:8545): anybody on the way of anything ' +
      'else could make up payments.',
  );
}

function refusal(fault: string, hint: string): KashboxError {
  return new KashboxError('invalid_input', { message: `url ${fault}`, hint });
}
