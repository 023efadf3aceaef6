/**
 * A phone's photo of a slip is often larger than a slip may be: it is made smaller here. A photo that cannot
 * be made smaller is not sent: it would use the customer's data, be refused, and lose the typed reference.
 */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_SIDE = 1800;

/** @param busy what is said while a photo is being made smaller; the form cannot be sent before. */
export function startSlip(busy: string): void {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  const note = document.getElementById('slip-note');
  if (input === null || note === null) return;
  const tell = (text: string) => {
    note.removeAttribute('role');
    input.removeAttribute('aria-invalid');
    note.textContent = text;
    input.setCustomValidity(text);
  };
  const chosen = () => input.files?.[0];
  input.addEventListener('change', () => {
    const file = chosen();
    if (file === undefined || file.size <= MAX_BYTES) return tell('');
    tell(busy);
    shrink(file)
      .catch(() => null)
      .then((smaller) => {
        if (chosen() !== file) return;
        tell(smaller ? '' : `${input.dataset.large}`);
        if (smaller) input.files = smaller;
      });
  });
}

/** @returns the only way to say what a file field holds. Rejects what is no picture, or stays too large. */
async function shrink(file: File): Promise<FileList> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = picture.width * scale;
  canvas.height = picture.height * scale;
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
  if (blob === null || blob.size > MAX_BYTES) throw blob;
  const transfer = new DataTransfer();
  transfer.items.add(new File([blob], 'slip.jpg', { type: blob.type }));
  return transfer.files;
}
