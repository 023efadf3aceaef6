/** Public interface of the SMS engine. */
export type { MfsChannel } from '../../domain/accounts/channels.js';
export type { SmsText } from '../../domain/sms/incoming-sms.js';
export { isCredit, KIND_TEXTS, type Settle, type SmsKind } from '../../domain/wallets/format.js';
export {
  aheadOfForecast,
  areIdsConsistent,
  blockOf,
  expectedUntil,
  ID_KNOWN_FOR_MS,
  type IssuedId,
  isExpectedAhead,
  judgePoint,
  latestSample,
  measuredSpeed,
} from './issued-ids.js';
export { loadFormatFile } from './load-format.js';
export { createSmsEngine, parseSms, type SmsEngine } from './parse.js';
export { StreamMemory } from './stream-memory.js';
export type { FormatFile, SmsReading, SmsReason } from './types.js';
export { REASON_TEXTS } from './types.js';
export { valueTexts } from './values.js';
export { extractIds, idsTakenBack } from './wording.js';
export { type WrittenSms, writeSms } from './write.js';
