/** Key names as they are written on this platform's keyboard. */
export function keysHere(keys: string): string {
  const isMac = /mac|iphone|ipad/iu.test(navigator.userAgent);
  return isMac ? keys.replace("Ctrl", "⌘").replace("Shift", "⇧") : keys;
}
