/** How an acquirer proves that a push is its own: signed, with user name and password, or by its address alone. */
export const ACQUIRER_AUTHS = ['hmac', 'basic', 'ip'] as const;
export type AcquirerAuth = (typeof ACQUIRER_AUTHS)[number];
