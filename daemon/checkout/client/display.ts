/**
 * Improves a counter display if scripts are available: the number pad, the tone of a payment, back to the
 * start after it, a screen that stays on. The page follows its payment by the common script. Whatever the
 * server answers takes the place of the page: this listens on the document, and looks at each new page.
 */
import { ownDigits } from './page.js';

const MUTE = 'kashbox mute';

/** Two short tones, upwards: frequency in Hz, start and end in s. */
const TONES = [
  [880, 0, 0.14],
  [1320, 0.16, 0.36],
] as const;
const VOLUME = 0.4;

let audio: AudioContext | undefined;
let isMuted = false;
try {
  isMuted = localStorage.getItem(MUTE) === '1';
} catch {}

/** Browsers allow sound only after somebody has touched the page, unless a switch of a kiosk allows it. */
function startAudio(): void {
  if (audio === undefined && typeof AudioContext !== 'undefined') audio = new AudioContext();
  if (audio !== undefined && audio.state === 'suspended') audio.resume().catch(() => {});
}

/** @param payment said in `data-tone` of the document once the tones are scheduled. */
function playTones(payment: string): void {
  if (isMuted) return;
  startAudio();
  if (audio === undefined || audio.state !== 'running') return;
  const { currentTime, destination } = audio;
  for (const [pitch, from, to] of TONES) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(VOLUME, currentTime + from);
    volume.gain.exponentialRampToValueAtTime(0.001, currentTime + to);
    tone.connect(volume).connect(destination);
    tone.start(currentTime + from);
    tone.stop(currentTime + to);
  }
  document.documentElement.dataset.tone = payment;
}

/** A browser that cannot, or may not, leaves it to the settings of the tablet. */
function stayAwake(): void {
  const { wakeLock } = navigator as Partial<Navigator>;
  if (wakeLock !== undefined && !document.hidden) wakeLock.request('screen').catch(() => {});
}

const field = () => document.querySelector<HTMLInputElement>('#amount');

/** One point in an amount; the server says what else is wrong. */
function press(key: string): void {
  const input = field();
  if (input === null) return;
  const { value, maxLength } = input;
  if (key === '⌫') input.value = value.slice(0, -1);
  else if (value.length < maxLength && !(key === '.' && (value === '' || value.includes('.')))) {
    input.value = value + ownDigits(key);
  }
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

function showMute(): void {
  const button = document.querySelector('#mute');
  if (button !== null) button.setAttribute('aria-pressed', String(isMuted));
}

function toggleMute(): void {
  isMuted = !isMuted;
  try {
    localStorage.setItem(MUTE, isMuted ? '1' : '0');
  } catch {}
  showMute();
}

let timer: number | undefined;

/** Called with each page that is shown. @param isNews false of the page that the browser has loaded. */
function enter(main: HTMLElement, isNews: boolean): void {
  clearTimeout(timer);
  showMute();
  const input = field();
  // The pad is the keyboard.
  if (input !== null) input.inputMode = 'none';
  const [state = '', payment = ''] = (main.dataset.state ?? '').split(' ');
  if (state === 'completed' && isNews) playTones(payment);
  const done = main.querySelector<HTMLFormElement>('#done');
  if (done === null) return;
  timer = setTimeout(() => {
    const button = done.querySelector('button');
    if (button !== null) button.click();
  }, Number(done.dataset.seconds) * 1000);
}

document.addEventListener('pointerdown', startAudio);
document.addEventListener('keydown', startAudio);
document.addEventListener('visibilitychange', stayAwake);
document.addEventListener('click', ({ target }) => {
  const button = target instanceof HTMLButtonElement ? target : null;
  if (button === null) return;
  const { key } = button.dataset;
  if (key !== undefined) press(key);
  if (button.id === 'mute') toggleMute();
  if (button.id === 'full' && document.documentElement.requestFullscreen !== undefined) {
    document.documentElement.requestFullscreen().catch(() => {});
  }
});

let shown = document.querySelector('main');
if (shown !== null) enter(shown, false);
stayAwake();
new MutationObserver(() => {
  const main = document.querySelector('main');
  if (main === null || main === shown) return;
  shown = main;
  enter(main, true);
}).observe(document.body, { childList: true });
