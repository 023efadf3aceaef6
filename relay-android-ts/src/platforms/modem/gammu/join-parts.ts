/** Puts the parts of long SMS together. Pure. */
import type { BackupPart } from './backup-file.js';

/** A part, and the file in which it is. */
export interface FiledPart {
  readonly name: string;
  readonly part: BackupPart;
}

export interface Assembly {
  /** By their number, those that have come. */
  readonly parts: readonly FiledPart[];
  /** All files that have one of its parts, or an equal copy. */
  readonly names: readonly string[];
  readonly isWhole: boolean;
}

/** The SMS centre gets the parts of one SMS in one go; a reference comes again for another SMS later. */
const MAX_APART_MS = 120_000;

interface Open {
  readonly parts: Map<number, FiledPart>;
  readonly names: Set<string>;
}

/** `filed` is in the order of arrival. */
export function joinParts(filed: readonly FiledPart[]): Assembly[] {
  const single: Assembly[] = [];
  const open = new Map<string, Open[]>();
  for (const one of filed) {
    const { piece, sender } = one.part;
    if (piece === null) {
      single.push({ parts: [one], names: [one.name], isWhole: true });
      continue;
    }
    const key = JSON.stringify([sender, piece.reference, piece.of]);
    const candidates = open.get(key) ?? [];
    open.set(key, candidates);
    let place = candidates.find((candidate) => fits(candidate, one, piece.number));
    if (place === undefined) {
      place = { parts: new Map(), names: new Set() };
      candidates.push(place);
    }
    if (!place.parts.has(piece.number)) place.parts.set(piece.number, one);
    place.names.add(one.name);
  }
  const long = [...open.values()].flat().map(({ parts, names }): Assembly => {
    const sorted = [...parts].sort(([one], [other]) => one - other).map(([, part]) => part);
    return { parts: sorted, names: [...names].sort(), isWhole: sorted.length === sorted[0]?.part.piece?.of };
  });
  return [...single, ...long];
}

function fits(candidate: Open, { part }: FiledPart, number: number): boolean {
  const there = candidate.parts.get(number);
  if (there !== undefined) return there.part.text === part.text && there.part.time === part.time;
  return [...candidate.parts.values()].every(
    (other) => !(Math.abs(clockOf(other.part.time) - clockOf(part.time)) > MAX_APART_MS),
  );
}

/** Milliseconds of `YYYYMMDDThhmmss` read as if it were UTC; NaN where there is no such time. */
export function clockOf(time: string): number {
  return Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z'));
}
