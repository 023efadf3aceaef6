/** Programs of a computer that cannot run in a test, as scripts that note how they were called. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export class FakePrograms {
  private constructor(
    private readonly folder: string,
    /** A PATH with these programs, and with what every shell script needs. */
    readonly path: string,
  ) {}

  /** @param scripts what each does, as lines of sh; an empty one ends well */
  static async make(folder: string, scripts: Readonly<Record<string, string>>): Promise<FakePrograms> {
    const bin = join(folder, 'bin');
    await mkdir(bin, { recursive: true });
    const fakes = new FakePrograms(folder, `${bin}:/usr/bin:/bin`);
    for (const [name, script] of Object.entries(scripts)) await fakes.put(name, script);
    return fakes;
  }

  async put(name: string, script: string): Promise<void> {
    const file = join(this.folder, 'bin', name);
    const note = `echo "${name} $*" >> '${this.folder}/called'`;
    await writeFile(file, `#!/bin/sh\n${note}\n${script}\n`);
    await chmod(file, 0o755);
  }

  /** Each call as a line, in order. */
  async called(): Promise<string[]> {
    const text = await readFile(join(this.folder, 'called'), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean);
  }
}
