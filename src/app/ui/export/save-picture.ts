import { withPngLink, zipped } from "#app/share";

/** Pixels of a PNG per CSS pixel, and the most pixels of a side that every browser allows. */
const scale = 2;
const mostPixels = 16_384;

/** Saves a drawing as an SVG file. */
export function saveSvg(svg: string, name: string): void {
  save(svgBlob(svg), `${name}.svg`);
}

/** Saves a drawing as a PNG file that carries the link of its plan. */
export async function savePng(svg: string, name: string, fragment: string): Promise<void> {
  const blob = await rasterised(svg);
  const bytes = withPngLink(new Uint8Array(await blob.arrayBuffer()), fragment);
  save(new Blob([Uint8Array.from(bytes)], { type: "image/png" }), `${name}.png`);
}

/**
 * Puts a drawing on the clipboard. A browser re-encodes a copied picture and drops its metadata, so
 * its address is copied beside it, as the words of a picture in a document.
 */
export async function copyPicture(svg: string, address: string): Promise<void> {
  const png = rasterised(svg);
  const html = async () => {
    const source = await dataAddress(await png);
    const words = address.replaceAll("&", "&amp;");
    return new Blob([`<img alt="${words}" src="${source}">`], { type: "text/html" });
  };
  await navigator.clipboard.write([new ClipboardItem({ "image/png": png, "text/html": html() })]);
}

function dataAddress(blob: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(String(reader.result)));
    reader.addEventListener("error", () => fail(new Error("the picture could not be read")));
    reader.readAsDataURL(blob);
  });
}

/** Saves a text file. */
export function saveText(text: string, name: string): void {
  save(new Blob([text], { type: "text/plain" }), name);
}

/** Saves a page. */
export function saveHtml(html: string, name: string): void {
  save(new Blob([html], { type: "text/html" }), `${name}.html`);
}

/** Saves several files as one ZIP file. */
export function saveZip(
  files: readonly { readonly name: string; readonly text: string }[],
  name: string,
): void {
  save(new Blob([Uint8Array.from(zipped(files))], { type: "application/zip" }), `${name}.zip`);
}

/** The drawing as pixels, at twice its size or the largest that fits. */
async function rasterised(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const by = Math.min(scale, mostPixels / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.floor(image.width * by);
    canvas.height = Math.floor(image.height * by);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) =>
      canvas.toBlob((blob) =>
        blob === null ? fail(new Error("the picture could not be drawn")) : done(blob),
      ),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

function svgBlob(svg: string): Blob {
  return new Blob([svg], { type: "image/svg+xml" });
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
