/**
 * Prepares the slip of a bank transfer before it is sent: a phone's photo is larger than necessary, and
 * uploading a file that is not a slip would waste the customer's data. A slip that cannot be sent over a bad
 * network is put aside and sent after the claim.
 */

const MAX_BYTES = 2 * 1024 * 1024;
/** A picture above this is made smaller: half a minute on a slow network. */
const LARGE_BYTES = 300 * 1024;
const MAX_SIDE = 1600;
const QUALITIES = [0.8, 0.6, 0.4];

/** First bytes of what a slip may be. */
const PDF = '%PDF-';
const KNOWN = [PDF, '\x89PNG', '\xff\xd8\xff'];

/** Resolves when the last chosen file is ready, or refused with a message next to its field. */
let ready: Promise<unknown> = Promise.resolve();
export const slipReady = () => ready;

let aside: File | undefined;

/** Takes the file out of the form, so that the rest can be sent; the next page with a place gets it. */
export function putAside(input: HTMLInputElement): void {
  aside = input.files?.[0];
  input.value = '';
}

/** @param busy shown while a photo is being made smaller. */
export function startSlip(busy: string): void {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  const note = document.getElementById('slip-note');
  if (input === null || note === null) return;
  const tell = (text: string, isRefused: boolean) => {
    if (isRefused) note.setAttribute('role', 'alert');
    else note.removeAttribute('role');
    input.removeAttribute('aria-invalid');
    note.textContent = text;
    input.setCustomValidity(isRefused ? text : '');
  };
  const chosen = () => input.files?.[0];
  const follow = () => {
    if (aside === undefined) return;
    input.files = listOf(aside);
    aside = undefined;
    // The form of the claim itself is the customer's to send.
    if (input.dataset.without !== undefined) return;
    const folded = input.closest('details');
    if (folded) folded.open = true;
    input.form?.querySelector('button')?.click();
  };
  input.addEventListener('change', () => {
    const file = chosen();
    if (file === undefined) return tell('', false);
    tell(busy, false);
    ready = prepare(file).then(
      (fitting) => {
        if (chosen() !== file) return;
        tell('', false);
        if (fitting !== file) input.files = listOf(fitting);
      },
      (isLarge) => {
        if (chosen() === file) tell(`${isLarge ? input.dataset.large : input.dataset.unreadable}`, true);
      },
    );
  });
  follow();
}

/** The only way to say what a file field holds. */
function listOf(file: File): FileList {
  const transfer = new DataTransfer();
  transfer.items.add(file);
  return transfer.files;
}

/** @returns the file, or a smaller picture of it. Rejects with whether it is too large or else unreadable. */
async function prepare(file: File): Promise<File> {
  const { size } = file;
  const bytes = new Uint8Array(await new Response(file.slice(0, 5)).arrayBuffer());
  const first = String.fromCharCode(...Array.from(bytes));
  const known = KNOWN.find((sign) => first.startsWith(sign));
  const isGood = known !== undefined && size <= MAX_BYTES;
  if (isGood && (known === PDF || size <= LARGE_BYTES)) return file;
  const smaller = known === PDF ? null : await shrink(file).catch(() => null);
  if (smaller !== null && (smaller.size < size || !isGood)) return smaller;
  if (isGood) return file;
  throw known !== undefined || size > MAX_BYTES;
}

/** @returns a JPEG. Rejects a file that this browser cannot decode, or that stays too large. */
async function shrink(file: File): Promise<File> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = picture.width * scale;
  canvas.height = picture.height * scale;
  const context = canvas.getContext('2d');
  if (context !== null) {
    // What is transparent would be black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  let blob: Blob | null = null;
  for (const quality of QUALITIES) {
    blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (blob !== null && blob.size <= LARGE_BYTES) break;
  }
  if (blob === null || blob.size > MAX_BYTES) throw blob;
  return new File([blob], 'slip.jpg', { type: blob.type });
}
