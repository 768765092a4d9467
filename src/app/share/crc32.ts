const table = Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest >>> 0;
});

/** CRC-32 (IEEE 802.3, reflected) of a text of ASCII characters, as eight lower-case hex digits. */
export function crc32(text: string): string {
  let sum = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    sum = (table[(sum ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (sum >>> 8);
  }
  return ((sum ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}
