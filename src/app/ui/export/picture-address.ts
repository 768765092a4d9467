/** SVG file as a `data:` URL for an image element, in which no script can run. */
export function pictureAddress(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}
