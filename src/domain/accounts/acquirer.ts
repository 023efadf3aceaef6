/** How an acquirer proves that a push is its own: by a signature, a password, or its address alone. */
export const ACQUIRER_AUTHS = ['hmac', 'basic', 'ip'] as const;
export type AcquirerAuth = (typeof ACQUIRER_AUTHS)[number];
