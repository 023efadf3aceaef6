/** One result of the doctor, and on what it looks: a phone, or a computer with GSM modems. */
export interface DoctorCheck {
  readonly name: string;
  /** `warn`: no program can check it, or it is not urgent; needs a manual check. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** Instruction for the user; null if nothing needs to be done. */
  readonly remedy: string | null;
}

const maker =
  (state: DoctorCheck['state']) =>
  (name: string, message: string, remedy: string): DoctorCheck => ({ name, state, message, remedy });

export const ok = (name: string, message: string): DoctorCheck => ({
  name,
  state: 'ok',
  message,
  remedy: null,
});
export const warn = maker('warn');
export const fail = maker('fail');

/** Texts of remedies that depend on the machine on which the agent runs. */
export interface DoctorPlace {
  readonly name: 'phone' | 'computer';
  /** Instruction for pairing; the end of a sentence about the server. */
  readonly pairHere: string;
  readonly startAgent: string;
  readonly setClock: string;
}

export const PHONE: DoctorPlace = {
  name: 'phone',
  pairHere: 'then paste the line with "install" here.',
  startAgent: 'Run: kashbox-relay install',
  setClock: 'Settings > Date and time: set automatically.',
};

export const COMPUTER: DoctorPlace = {
  name: 'computer',
  pairHere: "then here, with the text of its QR code: sudo kashbox-relay pair 'kashbox://pair?…'",
  startAgent: 'Run: sudo systemctl restart kashbox-relay',
  setClock: 'Run: sudo timedatectl set-ntp true',
};

const NODE_MAJOR = 20;

export function checkNode(version: string, remedy = 'Run: pkg install nodejs-lts'): DoctorCheck {
  const isOld = Number(version.split('.')[0]) < NODE_MAJOR;
  if (isOld) return fail('node', `Node ${version} is too old`, remedy);
  return ok('node', `Node ${version}`);
}
