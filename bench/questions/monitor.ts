/** What does it cost to leave the dashboard open all day? */
import { setTimeout as sleep } from 'node:timers/promises';
import { openCore } from '../../src/actions/core/core.js';
import { listDevices } from '../../src/actions/devices/device-view.js';
import { syncDevice } from '../../src/actions/relay/sync-device.js';
import { createSession } from '../../src/actions/sessions/create-session.js';
import { openTerminal } from '../../test/helpers/programs/terminal.js';
import { busyShop } from '../../test/helpers/shop/busy-shop.js';
import { testClock } from '../../test/helpers/stores/engines.js';
import type { Question, Run } from '../harness/figure.js';
import { processorMs } from '../harness/usage.js';

const PHONES = 50;
const HOUR_MS = 3_600_000;
const WARM_UP_MS = 10_000;

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 160, rows: 50 },
] as const;

export const monitor: Question = {
  word: 'monitor',
  title: 'The dashboard',
  about:
    `Processor time of \`kashbox monitor\` in a terminal (tmux) with ${PHONES} phones, each of which reports its ` +
    'health every ten seconds, and a payment opened every second; as a part of one core.',
  async answer(run) {
    const seconds = run.quick ? 10 : 60;
    const figures = [];
    for (const size of SIZES) {
      const { columns, rows } = size;
      const used = await usedBy(run, size, seconds);
      figures.push({
        name: `dashboard at ${columns}x${rows}`,
        value: (used / (seconds * 1_000)) * 100,
        unit: '% of a core',
        atMost: 3,
        detail: `${Math.round(used)} ms of processor time in ${seconds} s`,
      });
    }
    return figures;
  },
};

/** @returns milliseconds of processor time in so many seconds. */
async function usedBy(run: Run, size: (typeof SIZES)[number], seconds: number): Promise<number> {
  const home = run.folder(`monitor-${size.columns}`);
  const past = testClock(Date.now() - HOUR_MS);
  const core = await openCore({ folder: home, env: {}, clock: past });
  const shop = await busyShop(core, past, PHONES);
  await core.close();
  const living = await openCore({ folder: home, env: {} });
  run.atEnd(() => living.close());
  const terminal = await openTerminal(
    { teardown: (undo) => run.atEnd(undo) },
    { ...size, args: ['monitor'], env: { TERM: 'xterm-256color', LANG: 'C.UTF-8', KASHBOX_HOME: home } },
  );
  await terminal.shows(/store, read \d/);
  const phones = await listDevices(living, {});
  let used = 0;
  for (let second = -WARM_UP_MS / 1_000; second <= seconds; second += 1) {
    if (second === 0) used = processorMs({ pid: terminal.pid(), port: 0 });
    const told = phones.filter((_, at) => at % 10 === Math.abs(second) % 10);
    for (const { id } of told) {
      const health = { battery: 60, charging: true, network: 'wifi', queued: 0, appVersion: '0.1.0' };
      await syncDevice(living, { device: { ...shop.device, deviceId: id }, messages: [], health });
    }
    await createSession(living, {
      brand: shop.brand,
      hosted: null,
      cusName: 'Customer',
      cusEmail: '',
      amountPaisa: 50_000,
      metaJson: null,
    });
    if (second < seconds) await sleep(1_000);
  }
  const now = processorMs({ pid: terminal.pid(), port: 0 });
  await terminal.hangUp();
  return now - used;
}
