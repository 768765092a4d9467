import { withPngLink } from "#app/state";

/** Pixels per CSS pixel of a PNG. */
const scale = 2;

/** Saves a drawing as an SVG file. */
export function saveSvg(svg: SVGSVGElement, name: string): void {
  save(svgBlob(svg), `${name}.svg`);
}

/** Saves a drawing as a PNG file that carries the link of its plan. */
export async function savePng(svg: SVGSVGElement, name: string, fragment: string): Promise<void> {
  const blob = await rasterised(svg);
  const bytes = withPngLink(new Uint8Array(await blob.arrayBuffer()), fragment);
  save(new Blob([Uint8Array.from(bytes)], { type: "image/png" }), `${name}.png`);
}

/** Saves a text file. */
export function saveText(text: string, name: string): void {
  save(new Blob([text], { type: "text/plain" }), name);
}

async function rasterised(svg: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(svgBlob(svg));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * scale;
    canvas.height = image.height * scale;
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

function svgBlob(svg: SVGSVGElement): Blob {
  const text = new XMLSerializer().serializeToString(svg);
  return new Blob([text], { type: "image/svg+xml" });
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
