import test from 'ava';
import { Chance } from '../machine/chance.js';
import { Disk, DiskError, type DiskOperation, type FaultKind } from './disk.js';

const chanceOf = (seed: number) => new Chance(String(seed)).part;

const SECTOR = 512;
const filled = (length: number, byte: number) => new Uint8Array(length).fill(byte);

function written(disk: Disk, name: string): Uint8Array {
  const bytes = new Uint8Array(disk.size(name));
  disk.read(name, 0, bytes);
  return bytes;
}

/** A disk with one durable file of eight sectors of ones. */
function diskOfOnes(seed: number): Disk {
  return Disk.of(new Map([['a', filled(8 * SECTOR, 1)]]), chanceOf(seed));
}

test('synced data survives a power loss, once its name is synced, too', (t) => {
  for (let seed = 0; seed < 50; seed += 1) {
    const disk = new Disk(chanceOf(seed));
    disk.create('a');
    disk.write('a', 700, filled(3_000, 7));
    disk.truncate('a', 2_000);
    disk.sync('a');
    disk.syncFolder();
    disk.cutPower();
    t.deepEqual(written(disk, 'a'), Uint8Array.from([...filled(700, 0), ...filled(1_300, 7)]));
  }
});

test('each sector that is not synced is kept, lost or torn', (t) => {
  const fates = { kept: 0, lost: 0, torn: 0 };
  for (let seed = 0; seed < 200; seed += 1) {
    const disk = diskOfOnes(seed);
    disk.write('a', 0, filled(8 * SECTOR, 2));
    disk.cutPower();
    const bytes = written(disk, 'a');
    for (let sector = 0; sector < 8; sector += 1) {
      const found = new Set(bytes.subarray(sector * SECTOR, (sector + 1) * SECTOR));
      if (found.size === 2) fates.torn += 1;
      else fates[found.has(2) ? 'kept' : 'lost'] += 1;
    }
    t.deepEqual(disk.image().get('a'), bytes);
  }
  t.true(fates.kept > 300 && fates.lost > 300 && fates.torn > 50, JSON.stringify(fates));
});

test('a later write may survive an earlier one, and durable data remains where both are lost', (t) => {
  const found = new Set<string>();
  for (let seed = 0; seed < 100; seed += 1) {
    const disk = diskOfOnes(seed);
    disk.write('a', 0, filled(10, 2));
    disk.write('a', 5, filled(10, 3));
    disk.cutPower();
    found.add([...written(disk, 'a').subarray(0, 15)].join(''));
  }
  for (const text of ['111111111111111', '111113333333333', '222223333333333', '222222222211111']) {
    t.true(found.has(text), text);
  }
});

test('a truncation is kept or lost, and what grows has zeros where it lost its sectors', (t) => {
  const sizes = new Set<number>();
  for (let seed = 0; seed < 60; seed += 1) {
    const disk = diskOfOnes(seed);
    disk.truncate('a', 100);
    disk.cutPower();
    sizes.add(disk.size('a'));
    disk.truncate('a', 0);
    disk.sync('a');
    disk.write('a', 0, filled(4 * SECTOR, 9));
    disk.cutPower();
    t.true(written(disk, 'a').every((byte) => byte === 0 || byte === 9));
  }
  t.deepEqual([...sizes].toSorted(), [100, 8 * SECTOR]);
});

test('a new file may be missing or empty, and a removal may be undone, until the folder is synced', (t) => {
  const outcomes = new Set<string>();
  for (let seed = 0; seed < 60; seed += 1) {
    const disk = diskOfOnes(seed);
    disk.create('new');
    disk.write('new', 0, filled(10, 5));
    disk.remove('a');
    t.false(disk.exists('a'));
    t.deepEqual([...disk.image().keys()], ['a']);
    disk.cutPower();
    outcomes.add(disk.exists('new') ? `new ${disk.size('new') === 0 ? 'empty' : 'filled'}` : 'no new');
    outcomes.add(disk.exists('a') ? 'undone' : 'removed');
  }
  t.deepEqual([...outcomes].toSorted(), ['new empty', 'new filled', 'no new', 'removed', 'undone']);
  const disk = diskOfOnes(1);
  disk.remove('a');
  disk.create('b');
  disk.syncFolder();
  t.deepEqual([...disk.image()], [['b', new Uint8Array(0)]]);
});

test('an image is not changed by what is written afterwards, on its own disk and on others', (t) => {
  const disk = diskOfOnes(1);
  const image = disk.image();
  const other = Disk.of(image, chanceOf(2));
  disk.write('a', 0, filled(4, 8));
  other.write('a', 4, filled(4, 9));
  t.deepEqual(image.get('a'), filled(8 * SECTOR, 1));
  t.deepEqual([...written(disk, 'a').subarray(0, 9)], [8, 8, 8, 8, 1, 1, 1, 1, 1]);
  t.deepEqual([...written(other, 'a').subarray(0, 9)], [1, 1, 1, 1, 9, 9, 9, 9, 1]);
  t.deepEqual(disk.image().get('a'), filled(8 * SECTOR, 1));
});

test('after a sync that failed, a later one does not save what was pending then', (t) => {
  let lost = 0;
  for (let seed = 0; seed < 50; seed += 1) {
    const disk = diskOfOnes(seed);
    disk.write('a', 0, filled(SECTOR, 2));
    disk.fault = (operation) => (operation === 'sync' ? 'error' : 'none');
    t.like(
      t.throws(() => disk.sync('a'), { instanceOf: DiskError }),
      { code: 'EIO' },
    );
    disk.fault = () => 'none';
    t.is(written(disk, 'a')[0], 2);
    disk.write('a', SECTOR, filled(SECTOR, 3));
    disk.sync('a');
    disk.cutPower();
    const bytes = written(disk, 'a');
    t.deepEqual(bytes.subarray(SECTOR, 2 * SECTOR), filled(SECTOR, 3));
    if (bytes[0] === 1) lost += 1;
  }
  t.true(lost > 5 && lost < 45, `${lost}`);
});

test('a fault makes one operation fail, and names it', (t) => {
  const disk = diskOfOnes(1);
  const seen: string[] = [];
  const faults: Record<DiskOperation, FaultKind> = { read: 'error', write: 'full', sync: 'none' };
  disk.fault = (operation, file) => {
    seen.push(`${operation} ${file}`);
    return faults[operation];
  };
  t.throws(() => disk.read('a', 0, new Uint8Array(1)), { code: 'EIO' });
  t.throws(() => disk.write('a', 0, new Uint8Array(1)), { code: 'ENOSPC' });
  t.throws(() => disk.truncate('a', 0), { code: 'ENOSPC' });
  disk.sync('a');
  t.throws(() => disk.sync('b'), { code: 'ENOENT' });
  t.deepEqual(seen, ['read a', 'write a', 'write a', 'sync a']);
});

test('a disk that lies about its cache loses data reported as stored', (t) => {
  let lost = 0;
  for (let seed = 0; seed < 20; seed += 1) {
    const disk = diskOfOnes(seed);
    disk.isSyncIgnored = true;
    disk.write('a', 0, filled(SECTOR, 2));
    disk.sync('a');
    disk.cutPower();
    if (written(disk, 'a')[0] === 1) lost += 1;
  }
  t.true(lost > 0);
});
