/** A modem of ModemManager on a played mmcli, in a time that the test lets pass. */
import type { ExecutionContext } from 'ava';
import type { DeliveryReport, Modem, SendResult } from '../../../src/platforms/modem/modem.js';
import type { ManagerTimes } from '../../../src/platforms/modem/modem-manager/mmcli.js';
import { modemManagerModem } from '../../../src/platforms/modem/modem-manager/modem-manager.js';
import { FakeModemManager } from './fake-mmcli.js';

export const ONE = '356938035643809';
export const OTHER = '490154203237518';
export const BKASH = 'You have received Tk 500.00 from 01711000000. Fee Tk 0.00. TrxID 8N7A6B5C4D';
export const NAGAD = 'Money Received. Amount: Tk 50.00 Sender: 01811000000 TxnID: 71ABCDE2';
export const OUT = { id: 'd1', number: '01711000000', text: 'Thank you' };

/** @param id IMEI of the modem; null for the only one there is */
export async function world(t: ExecutionContext, id: string | null = ONE, times: Partial<ManagerTimes> = {}) {
  const fake = new FakeModemManager();
  let now = 1_000_000;
  const warnings: string[] = [];
  const reports: DeliveryReport[] = [];
  const late: [string, SendResult][] = [];
  const log = { info: () => {}, warn: (message: string) => warnings.push(message) };
  const clock = { now: () => now, after: () => () => {} };
  const { path, createSms } = fake;
  const modem = modemManagerModem({ slot: 1, id, clock, log, path, createSms, times });
  t.teardown(async () => {
    await modem.close();
    fake.close();
  });
  await modem.open({
    onSms: () => {},
    onReport: async (report) => void reports.push(report),
    onHandedOver: (dispatch, handover) => late.push([dispatch, handover]),
  });
  /** Time goes on by so many milliseconds. */
  const wait = (ms: number): void => {
    now += ms;
  };
  return { fake, modem, reports, late, warnings, wait };
}

export const texts = async (modem: Modem): Promise<readonly string[]> =>
  (await modem.list()).map(({ text }) => text);
export const problem = async (modem: Modem): Promise<string | null> => (await modem.readState()).problem;
