/**
 * Theme of a brand on the checkout page: the domain of its website, its colour, its pictures, its questions
 * with their answers.
 */
import { refuse } from '../../base/errors/refuse.js';
import type { ParseResult } from '../../base/values/parse-result.js';
import { echoed } from '../../base/values/text.js';
import { PAY_CHANNELS, type PayChannel } from '../../domain/accounts/channels.js';
import { parseColour } from '../../domain/brands/colour.js';
import type { PictureFacts } from '../../domain/brands/picture.js';
import { MAX_QUESTIONS, parseQuestion, parseVideo } from '../../domain/brands/questions.js';
import type { BrandTable, Db, PicturePlace } from '../../store/schema/index.js';
import { deletePicture, pictureByFile, putPicture } from '../../store/tables/brands.js';
import type { Core } from '../core/core.js';
import { definedColumns, ifGiven } from '../input/row-change.js';

export type BrandTheme = Pick<BrandTable, 'website' | 'colour' | 'logo' | 'marks'>;
export type ThemeColumns = BrandTheme & Pick<BrandTable, 'questions' | 'video'>;

/** Theme fields of a brand. Absent ones stay unchanged; empty texts clear a field. */
export interface GivenLook {
  readonly website?: string | undefined;
  readonly colour?: string | undefined;
  /** A file's bytes; null takes the logo away. */
  readonly logo?: Buffer | null | undefined;
  /** Likewise by channel; the marks of other channels stay. */
  readonly marks?: ReadonlyMap<PayChannel, Buffer | null> | undefined;
  /** Each `QUESTION=ANSWER`, instead of all that the brand has. */
  readonly questions?: readonly string[] | undefined;
  readonly video?: string | undefined;
}

interface Picture {
  readonly facts: PictureFacts;
  readonly content: Buffer;
}

/** Validated theme, ready before the database transaction begins. */
export interface ValidatedTheme {
  /** Given columns of the brand's row, except those of pictures. */
  readonly columns: Partial<Omit<ThemeColumns, 'logo' | 'marks'>>;
  /** Given pictures; null removes one. */
  readonly pictures: ReadonlyMap<PicturePlace, Picture | null>;
}

/** @throws KashboxError `invalid_input` */
export async function checkLook(given: GivenLook): Promise<ValidatedTheme> {
  const pictures = new Map<PicturePlace, Picture | null>();
  if (given.logo !== undefined) pictures.set('logo', await checkPicture('logo', given.logo));
  for (const [channel, bytes] of given.marks ?? []) pictures.set(channel, await checkPicture(channel, bytes));
  return {
    columns: definedColumns({
      website: ifGiven(given.website, websiteField),
      colour: ifGiven(given.colour, colourField),
      questions: ifGiven(given.questions, questionsField),
      video: ifGiven(given.video, videoField),
    }),
    pictures,
  };
}

async function checkPicture(place: PicturePlace, content: Buffer | null): Promise<Picture | null> {
  if (content === null) return null;
  const { parseLogo, parseMark } = await import('../../domain/brands/picture.js');
  const read = place === 'logo' ? parseLogo(content) : parseMark(content);
  if (read.ok) return { facts: read.facts, content };
  return refuse(`${place === 'logo' ? 'logo' : `mark of ${place}`} ${read.fault}`, read.advice);
}

/**
 * @param present marks of the brand's row.
 * @returns the given columns; with a given mark those of all channels, always in one order.
 */
export function themeColumns({ columns, pictures }: ValidatedTheme, present: string): Partial<ThemeColumns> {
  const logo = pictures.get('logo');
  const old = markFacts({ marks: present });
  const marks = PAY_CHANNELS.flatMap((channel) => {
    const picture = pictures.get(channel);
    const facts = picture === undefined ? old[channel] : picture?.facts;
    return facts === undefined ? [] : [[channel, facts] as const];
  });
  return {
    ...columns,
    ...(logo === undefined ? {} : { logo: logo === null ? null : JSON.stringify(logo.facts) }),
    // Absent if no mark was given, so that a command without any change is refused.
    ...(PAY_CHANNELS.some((channel) => pictures.has(channel))
      ? { marks: JSON.stringify(Object.fromEntries(marks)) }
      : {}),
  };
}

function questionsField(texts: readonly string[]): string {
  const typed = texts.every((text) => text.trim() === '') ? [] : texts;
  if (typed.length > MAX_QUESTIONS) {
    refuse(
      `question may be given at most ${MAX_QUESTIONS} times, not ${typed.length}`,
      'Keep the most frequent ones.',
    );
  }
  const entries = typed.map((text) => {
    const read = parseQuestion(text);
    if (read.ok) return read.entry;
    return refuse(
      `question "${echoed(text)}" ${read.fault}`,
      `Write --question 'How do I pay?=Open the app of your wallet.'; --question '' alone removes all.`,
    );
  });
  return JSON.stringify(entries);
}

function videoField(typed: string): string | null {
  const bare = typed.trim();
  if (bare === '') return null;
  const read = parseVideo(bare);
  return read.ok
    ? read.url
    : refuse(`video ${read.fault}`, 'Write it as https://video.example.com/how-to-pay');
}

function websiteField(typed: string): string | null {
  const bare = typed.trim();
  if (bare === '') return null;
  const read = parseWebsite(bare);
  return read.ok ? read.domain : refuse(`website ${read.fault}`, 'Write it as https://shop.example.com');
}

function colourField(typed: string): string | null {
  if (typed.trim() === '') return null;
  const colour = parseColour(typed);
  return (
    colour ??
    refuse(`colour "${echoed(typed)}" is not a colour`, 'Write six or three hex digits, such as #00664b.')
  );
}

/** Stores or deletes the given pictures, in the database transaction of the row. */
export async function keepPictures(db: Db, brand: string, { pictures }: ValidatedTheme): Promise<void> {
  for (const [place, picture] of pictures) {
    if (picture === null) {
      await deletePicture(db, brand, place);
    } else {
      const content = picture.content.toString('base64');
      await putPicture.first(db, { brand_id: brand, place, file: picture.facts.file, content });
    }
  }
}

export function logoFacts({ logo }: Pick<BrandTheme, 'logo'>): PictureFacts | null {
  return logo === null ? null : (JSON.parse(logo) as PictureFacts);
}

/** @returns the brand's own pictures of channels; other channels have the letters of Kashbox. */
export function markFacts({ marks }: Pick<BrandTheme, 'marks'>): Partial<Record<PayChannel, PictureFacts>> {
  return JSON.parse(marks) as Partial<Record<PayChannel, PictureFacts>>;
}

/** @param file in the picture's address. @returns its bytes, or null where no brand has it. */
export async function findPicture(core: Core, file: string): Promise<Buffer | null> {
  const found = await core.store.read((db) => pictureByFile.first(db, { file }));
  return found === undefined ? null : Buffer.from(found.content, 'base64');
}

/** Names with a dot and no address: the last part begins with a letter. */
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * @param typed `https://alo.example`, with any path, or `alo.example`.
 * @returns the domain in its ASCII form (`xn--…` for others), so that no letter looks like another one.
 */
export function parseWebsite(typed: string): ParseResult<{ domain: string }> {
  const url = typed.includes('://') ? typed : `https://${typed}`;
  const isPlain = /^https:\/\/[^/?#@:\s\\]+(?:[/?#]|$)/i.test(url) && URL.canParse(url);
  const domain = isPlain ? new URL(url).hostname : '';
  if (DOMAIN.test(domain)) return { ok: true, domain };
  return { ok: false, fault: 'must be the https address of a website, without a port or a user name' };
}
