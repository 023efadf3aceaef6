/** Puts the parts of long SMS together. Pure. */
import type { BackupPart } from './backup-file.js';

/** A part, and the file in which it is. */
export interface FiledPart {
  readonly name: string;
  readonly part: BackupPart;
}

export interface Assembly<P extends FiledPart = FiledPart> {
  /** Received parts, ordered by their number. */
  readonly parts: readonly P[];
  /** All files that have one of its parts, or an equal copy. */
  readonly names: readonly string[];
  readonly isWhole: boolean;
}

/**
 * Maximum time between a part and the nearest other part of the same SMS: the SMS centre receives all parts
 * at once. A later SMS, which may lack parts, can have the same reference.
 */
const MAX_APART_MS = 30_000;

interface PartialSms<P extends FiledPart> {
  readonly parts: Map<number, P>;
  readonly names: Set<string>;
}

/** `filed` is in the order of arrival. */
export function joinParts<P extends FiledPart>(filed: readonly P[]): Assembly<P>[] {
  const single: Assembly<P>[] = [];
  const open = new Map<string, PartialSms<P>[]>();
  for (const one of filed) {
    const { piece, sender } = one.part;
    if (piece === null) {
      single.push({ parts: [one], names: [one.name], isWhole: true });
      continue;
    }
    const key = JSON.stringify([sender, piece.reference, piece.of]);
    const candidates = open.get(key) ?? [];
    open.set(key, candidates);
    let place = nearest(candidates, one, piece.number);
    if (place === undefined) {
      place = { parts: new Map(), names: new Set() };
      candidates.push(place);
    }
    if (!place.parts.has(piece.number)) place.parts.set(piece.number, one);
    place.names.add(one.name);
  }
  const long = [...open.values()].flat().map(({ parts, names }): Assembly<P> => {
    const sorted = [...parts].sort(([one], [other]) => one - other).map(([, part]) => part);
    return { parts: sorted, names: [...names].sort(), isWhole: sorted.length === sorted[0]?.part.piece?.of };
  });
  return [...single, ...long];
}

/** The SMS that has an equal copy of the part, else the one that lacks it and is nearest in time. */
function nearest<P extends FiledPart>(
  candidates: readonly PartialSms<P>[],
  { part }: P,
  number: number,
): PartialSms<P> | undefined {
  const copy = candidates.find(({ parts }) => {
    const there = parts.get(number)?.part;
    return there !== undefined && there.text === part.text && there.time === part.time;
  });
  if (copy !== undefined) return copy;
  const lacking = candidates.filter(({ parts }) => !parts.has(number));
  const near = lacking.map((candidate) => ({ candidate, apart: apartOf(candidate, part.time) }));
  return near.filter(({ apart }) => apart <= MAX_APART_MS).sort((one, other) => one.apart - other.apart)[0]
    ?.candidate;
}

/** Milliseconds to the part that came nearest in time; 0 where a time is not known. */
function apartOf({ parts }: PartialSms<FiledPart>, time: string): number {
  const gaps = [...parts.values()].map(({ part }) =>
    Math.abs(parseTimeAsUtc(part.time) - parseTimeAsUtc(time)),
  );
  return Math.min(...gaps.map((gap) => (Number.isNaN(gap) ? 0 : gap)));
}

/** Parses `YYYYMMDDThhmmss` as if it were UTC, to ms since the Unix epoch; NaN if it is not valid. */
export function parseTimeAsUtc(time: string): number {
  return Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z'));
}
