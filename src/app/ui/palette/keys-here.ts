/** Keys as this machine's keyboard names them. */
export function keysHere(keys: string): string {
  const isMac = /mac|iphone|ipad/iu.test(navigator.userAgent);
  return isMac ? keys.replace("Ctrl", "⌘").replace("Shift", "⇧") : keys;
}
