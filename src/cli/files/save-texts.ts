/** What a command makes as a file of its own, or into a pipe. Knows nothing of what is in it. */
import { extname } from 'node:path';
import { type NewFile, writeNewFile } from '../../base/io/new-file.js';
import { LIST_FORMATS, type ListFormat } from '../text/list-texts.js';

/** @param asked as the operator says it; without that the ending of the name decides, else CSV. */
export function formatOf(file: string, asked: ListFormat | undefined): ListFormat {
  const ending = extname(file).slice(1).toLowerCase();
  return asked ?? LIST_FORMATS.find((format) => format === ending) ?? 'csv';
}

/** Writes one text after the other, each once the one before has left, until nobody takes them any more. */
async function pipeTexts(texts: AsyncIterable<string>, output: NodeJS.WriteStream): Promise<void> {
  for await (const text of texts) {
    const isTaken = await new Promise<boolean>((resolve) => {
      output.write(text, (fault) => resolve(fault === null || fault === undefined));
    });
    if (!isTaken) return;
  }
}

/**
 * @param place `-` is stdout.
 * @returns how many bytes the file has; null where there is none.
 * @throws KashboxError as `writeNewFile`, and what `texts` throws
 */
export async function saveTexts(place: NewFile, texts: AsyncIterable<string>): Promise<number | null> {
  if (place.file !== '-') return writeNewFile(place, texts);
  await pipeTexts(texts, process.stdout);
  return null;
}
