/**
 * Names the manual pages in package.json while npm packs it, because npm installs only those that stand there
 * one by one: `prepack` puts the list in, `postpack` takes it out. The package.json of the sources stays short.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { manList } from './man-pages.js';

const file = fileURLToPath(new URL('../package.json', import.meta.url));
const { man: _before, ...manifest } = JSON.parse(readFileSync(file, 'utf8'));
const written = process.argv[2] === 'in' ? { ...manifest, man: manList() } : manifest;
writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
