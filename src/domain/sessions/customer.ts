/** What stands in a payment where nobody said who pays. */

/** Never shown to customers. */
export const DEFAULT_CUSTOMER = 'Default Name';

/** Mail to this domain is never delivered. */
export const PLACEHOLDER_EMAIL = 'customer@example.com';
