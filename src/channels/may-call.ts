/**
 * Which addresses of sources outside are called at all: https anywhere, plain http on this machine alone, as
 * of an operator's own node. Others on the way could fake payments. Pure.
 */
export function mayCall(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url));
}

/** Whether an address is one of this machine by its text alone: no name is looked up. */
export function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
