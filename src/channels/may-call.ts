/**
 * Which addresses of sources outside are called at all: https anywhere, plain http on this machine alone, as
 * of an operator's own node. Others on the way could fake payments. Pure.
 */
export function mayCall(url: URL): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}
