/** The answer that every route may give, as a schema; those of each API stand in the other schemas-….ts. */
import { Type } from '@sinclair/typebox';

/** Spec 7, and the answer of the health endpoints. */
export const Message = Type.Object({
  status: Type.Boolean({ description: 'False of a refusal, true else.' }),
  message: Type.String({ description: 'The same in words, for whoever reads your log.' }),
});
