/** The dialects in which v1 verify answers, because real clients of this API family differ. */

/** `standard` is the spec to the letter, `flat` has the record's fields at the top level. */
export const DIALECTS = ['standard', 'flat'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** Whether the merchant's own data is given back as an object or as its JSON text. */
export const METADATA_FORMS = ['object', 'string'] as const;
export type MetadataAs = (typeof METADATA_FORMS)[number];
