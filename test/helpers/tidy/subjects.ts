/**
 * The rules about the rooms inside a layer: which subject may import which, that files never go round in
 * circles, that each is used, and that a folder stays small enough to be read. docs/architecture.md tells the
 * same to people.
 */
import { posix } from 'node:path';
import { importsOf, localTarget } from './imports.js';
import type { Source } from './source.js';

/** Rooms of a folder by name, each with those that it may import. */
export type Rooms = Readonly<Record<string, readonly string[]>>;

const NONE: readonly string[] = [];
/** What every verb stands on: the core, and how rows and fields are named. */
const GROUND = ['core', 'input'];

/**
 * Folders that have rooms. What lies in such a folder itself is for all its rooms, and may use all of them
 * (an index, an application that is put together); its rooms import each other only as it says here.
 */
export const SUBJECTS: Readonly<Record<string, Rooms>> = {
  'src/actions': {
    core: NONE,
    input: NONE,
    keys: GROUND,
    accounts: GROUND,
    acquirers: GROUND,
    alerts: [...GROUND, 'why'],
    audit: GROUND,
    installation: [...GROUND, 'alerts', 'audit'],
    backup: [...GROUND, 'alerts'],
    db: [...GROUND, 'backup', 'upkeep'],
    brands: [...GROUND, 'keys', 'accounts'],
    access: [...GROUND, 'acquirers', 'alerts', 'brands'],
    devices: [...GROUND, 'alerts'],
    'balance-gaps': [...GROUND, 'alerts'],
    dispatches: [...GROUND, 'access'],
    notifications: [...GROUND, 'alerts', 'brands'],
    // What people without a key may cause in a day.
    strangers: [...GROUND, 'alerts'],
    sessions: [...GROUND, 'accounts', 'alerts', 'brands', 'dispatches', 'notifications', 'strangers'],
    links: [...GROUND, 'brands', 'sessions', 'strangers'],
    refunds: [...GROUND, 'alerts', 'balance-gaps', 'brands', 'notifications', 'sessions', 'usdt'],
    // Money is credited here and nowhere else.
    settlement: [...GROUND, 'alerts', 'balance-gaps', 'notifications', 'sessions'],
    sms: [...GROUND, 'alerts', 'balance-gaps', 'refunds', 'settlement'],
    usdt: [...GROUND, 'alerts', 'settlement'],
    pushes: [...GROUND, 'access', 'acquirers', 'settlement'],
    claims: [...GROUND, 'alerts', 'brands', 'sessions', 'settlement', 'strangers', 'pushes', 'usdt'],
    reviews: [...GROUND, 'brands', 'sessions', 'settlement', 'why'],
    telegram: [...GROUND, 'alerts', 'reviews', 'why'],
    relay: [...GROUND, 'access', 'sms'],
    merchants: [...GROUND, 'accounts', 'brands', 'claims', 'devices'],
    'test-payments': [
      ...[...GROUND, 'accounts', 'brands', 'claims', 'devices', 'merchants', 'sessions', 'sms'],
      'strangers',
    ],
    why: GROUND,
    reports: [...GROUND, 'balance-gaps'],
    upkeep: [...GROUND, 'backup', 'devices', 'dispatches', 'reports', 'reviews', 'sessions', 'usdt', 'why'],
    doctor: [
      ...GROUND,
      'access',
      'accounts',
      'backup',
      'brands',
      'devices',
      'installation',
      'sms',
      'upkeep',
      'usdt',
    ],
  },
  'src/base': { values: NONE, errors: NONE, io: ['values', 'errors'] },
  'src/channels': { mfs: NONE, bep20: NONE, 'exchange-pay': NONE, 'qr-interbank': NONE },
  'src/cli': {
    input: NONE,
    html: ['text'],
    webhooks: ['text'],
    text: NONE,
    command: ['html', 'input', 'text'],
    pairing: ['input', 'text'],
    language: NONE,
    programs: NONE,
    setup: ['command', 'input', 'language', 'pairing', 'programs', 'text'],
  },
  'src/domain': {
    wallets: NONE,
    accounts: ['wallets'],
    strangers: NONE,
    alerts: ['accounts', 'refunds', 'strangers'],
    'audit-chain': NONE,
    'balance-gaps': NONE,
    brands: NONE,
    certificates: NONE,
    dispatches: NONE,
    links: NONE,
    refunds: ['accounts', 'matching'],
    reviews: NONE,
    sms: NONE,
    // Senders that the operator added.
    sources: ['accounts', 'wallets'],
    upkeep: NONE,
    devices: ['alerts'],
    matching: ['accounts', 'wallets'],
    sessions: ['accounts'],
    notifications: ['accounts', 'sessions'],
    plugins: ['notifications', 'sessions'],
    why: ['accounts', 'devices', 'matching', 'refunds', 'sessions'],
  },
  'src/store': { schema: NONE, migrations: NONE, backup: NONE, tables: ['schema'] },
  daemon: {
    loops: NONE,
    streams: ['loops'],
    relay: ['loops', 'streams'],
    checkout: ['loops', 'streams'],
    http: ['checkout', 'loops', 'relay', 'streams'],
  },
  'daemon/http': {
    gates: NONE,
    input: NONE,
    schemas: ['input'],
    reference: ['input', 'schemas'],
    checkout: ['gates', 'input'],
    routes: ['checkout', 'gates', 'input', 'reference', 'schemas'],
  },
  'relay-android-ts/src/cli': { install: NONE, doctor: ['install'] },
  'relay-android-ts/src/core': {
    time: NONE,
    journal: NONE,
    inbox: ['journal', 'time'],
    outbox: ['journal', 'time'],
    sync: ['inbox', 'outbox', 'time'],
    wake: ['sync', 'time'],
  },
  'relay-android-ts/src/platforms': { modem: NONE, simulator: NONE, termux: NONE },
};

export const PRODUCT = /^(src|daemon|commands|relay-android-ts\/src)\//;

/** Started by something else than an import: a command line, a bundle, a hook of package.json, a process. */
const STARTED = [
  /^commands\//,
  /^daemon\/checkout\/client\/(main|link|display)\.ts$/,
  /^relay-android-ts\/src\/main\.ts$/,
  /^src\/cli\/command\/(command-not-found|help)\.ts$/,
  /^src\/demo\/anvil-process\.ts$/,
];

const MAX_FILES = 30;
/** Folders whose files are entries of a list: a table, a page or a record each. */
const LISTS = ['src/store/tables', 'docs', 'docs/adr'];

/** The folder with rooms that a path lies in, and the room; null for what lies in the folder itself. */
function placesOf(path: string): Map<string, string | null> {
  const places = new Map<string, string | null>();
  for (const folder of Object.keys(SUBJECTS)) {
    if (!path.startsWith(`${folder}/`)) continue;
    const rest = path.slice(folder.length + 1).split('/');
    places.set(folder, rest.length === 1 ? null : (rest[0] ?? null));
  }
  return places;
}

function mayImport(rooms: Rooms, from: string | null, to: string | null): boolean {
  return from === null || to === null || from === to || rooms[from]?.includes(to) === true;
}

/** A room imports only those that its line names, and each has a line. */
export function checkSubjects(file: Source): string[] {
  const problems: string[] = [];
  const places = placesOf(file.path);
  for (const [folder, room] of places) {
    if (room !== null && SUBJECTS[folder]?.[room] === undefined) {
      problems.push(`${file.path} lies in a room that test/helpers/tidy/subjects.ts does not name`);
    }
  }
  for (const { specifier, where } of importsOf(file)) {
    const target = localTarget(file, specifier);
    if (target === undefined) continue;
    const targets = placesOf(target);
    for (const [folder, room] of places) {
      const to = targets.get(folder);
      if (to === undefined || mayImport(SUBJECTS[folder] ?? {}, room, to)) continue;
      problems.push(`${where} imports ${target}: in ${folder}, ${room} must not import ${to}`);
    }
  }
  return problems;
}

/** The files that each file imports, types included, as far as they are among the given ones. */
function importGraph(files: readonly Source[]): Map<string, string[]> {
  const known = new Set(files.map(({ path }) => path));
  return new Map(
    files.map((file) => {
      const targets = importsOf(file).flatMap(({ specifier }) => {
        const target = localTarget(file, specifier)?.replace(/\.js$/, '.ts');
        return target !== undefined && known.has(target) ? [target] : [];
      });
      return [file.path, targets];
    }),
  );
}

/** No file imports itself by way of others, not even for a type. */
export function checkCircles(files: readonly Source[]): string[] {
  const graph = importGraph(files.filter(({ path }) => PRODUCT.test(path)));
  const problems: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) {
      problems.push(`a circle: ${[...way.slice(way.indexOf(path)), path].join(' -> ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return problems;
}

/** The table of rooms says no circle either. */
export function checkRoomOrder(rooms: Rooms): string[] {
  const problems: string[] = [];
  const visit = (room: string, way: readonly string[]): void => {
    if (way.includes(room)) problems.push(`a circle: ${[...way, room].join(' -> ')}`);
    else for (const other of rooms[room] ?? []) visit(other, [...way, room]);
  };
  for (const room of Object.keys(rooms)) visit(room, []);
  return problems;
}

/** Each file of the product is used by the product: what only a test imports belongs to the tests. */
export function checkUsed(files: readonly Source[]): string[] {
  const product = files.filter(({ path }) => PRODUCT.test(path));
  const used = new Set([...importGraph(product).values()].flat());
  return product
    .map(({ path }) => path)
    .filter((path) => !used.has(path) && !STARTED.some((pattern) => pattern.test(path)))
    .map((path) => `${path} is imported by nothing`);
}

/** A folder that is longer than a screen is read by nobody. */
export function checkFolderSizes(files: readonly { readonly path: string }[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > MAX_FILES && !LISTS.includes(folder))
    .map(([folder, count]) => `${folder} holds ${count} files, over ${MAX_FILES}`);
}
