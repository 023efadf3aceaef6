/** The kinds of key that open a route: how the document names each, and what a request without it is told. */
import type { Operation, Refusal } from '../schemas/operation.js';

const header = (name: string, description: string) => ({
  [name]: { type: 'apiKey', in: 'header', name, description },
});

/**
 * The credentials of a shop, of a phone, and of a bank. The older names of a Brand Key stand in the
 * document's introduction alone: generated clients send a key under every name that is offered here, in
 * addresses, too.
 */
export const SECURITY_SCHEMES = {
  ...header('BRAND-KEY', 'The Brand Key in a header. Recommended.'),
  Bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer` and the Brand Key.' },
  ...header('DEVICE-KEY', 'The key of a relay phone in a header.'),
  ...header('DEVICE-KEYS', 'Keys of relay phones in a header, with commas between them.'),
  ...header('GATEWAY-KEY', 'The Gateway Key of a relay phone in a header; the name `key` is taken, too.'),
  ...header('ACQUIRER-KEY', 'The key of an acquirer in a header, beside its signature.'),
  Basic: { type: 'http', scheme: 'basic', description: 'Key and secret of an acquirer that does not sign.' },
};

interface Access {
  /** Names of the schemes of which one is needed. */
  readonly keys: readonly string[];
  readonly refusals: readonly Refusal[];
}

export const ACCESS: Readonly<Record<Operation['access'], Access>> = {
  brand: {
    keys: ['BRAND-KEY', 'Bearer'],
    refusals: ['key_missing', 'key_invalid', 'merchant_suspended', 'ip_not_allowed'],
  },
  device: {
    keys: ['DEVICE-KEY'],
    refusals: ['device_key_missing', 'device_key_invalid', 'merchant_suspended'],
  },
  devices: {
    keys: ['DEVICE-KEYS'],
    refusals: ['device_keys_missing', 'device_keys_invalid', 'merchant_suspended'],
  },
  gateway: {
    keys: ['GATEWAY-KEY'],
    refusals: ['gateway_key_missing', 'gateway_key_invalid', 'merchant_suspended', 'ip_not_allowed'],
  },
  acquirer: {
    keys: ['ACQUIRER-KEY', 'Basic'],
    refusals: [
      'acquirer_key_missing',
      'acquirer_key_invalid',
      'acquirer_signature_invalid',
      ['ip_not_allowed', 'Requests from this IP address are not allowed for this acquirer'],
    ],
  },
  open: { keys: [], refusals: [] },
};
