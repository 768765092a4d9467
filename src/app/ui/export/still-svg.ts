/** Properties that say how a drawing looks; everything else is left to the file's reader. */
const looks = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap"],
  ...["stroke-linejoin", "stroke-opacity", "opacity", "paint-order", "font-family", "font-size"],
  ...["font-weight", "text-anchor", "dominant-baseline", "marker-end", "visibility"],
] as const;

/** What stands beside the drawing in the file. */
export interface StillOptions {
  readonly theme: "light" | "dark";
  /** A line below the drawing. */
  readonly caption: string;
  /** The drawing in plain words. */
  readonly title: string;
  readonly metadata: string;
}

const captionRoom = 28;
const margin = 12;

/** A drawing on the page as an SVG file of its own, in a theme, with its styles written out. */
export function stillSvg(drawing: SVGSVGElement, options: StillOptions): SVGSVGElement {
  const root = document.documentElement;
  const before = root.dataset["theme"];
  root.dataset["theme"] = options.theme;
  try {
    return still(drawing, options);
  } finally {
    if (before !== undefined) root.dataset["theme"] = before;
  }
}

function still(drawing: SVGSVGElement, options: StillOptions): SVGSVGElement {
  const svg = drawing.cloneNode(true);
  if (!(svg instanceof SVGSVGElement)) throw new Error("a copy of a drawing is a drawing");
  writeLooks(drawing, svg);
  const { x, y, width, height } = drawing.viewBox.baseVal;
  const [w, h] = [width + 2 * margin, height + 2 * margin + captionRoom];
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("viewBox", `${x - margin} ${y - margin} ${w} ${h}`);
  svg.setAttribute("width", String(w));
  svg.setAttribute("height", String(h));
  for (const name of ["class", "aria-hidden", "style"]) svg.removeAttribute(name);
  const colour = getComputedStyle(document.body);
  const back = element("rect", {
    x: String(x - margin),
    y: String(y - margin),
    width: "100%",
    height: "100%",
    fill: colour.getPropertyValue("--surface").trim(),
  });
  const caption = element("text", {
    x: String(x),
    y: String(y + height + captionRoom - 8),
    fill: colour.getPropertyValue("--ink").trim(),
    "font-family": colour.fontFamily,
    "font-size": "12",
  });
  caption.textContent = options.caption;
  const title = element("title", {});
  title.textContent = options.title;
  const metadata = element("metadata", {});
  metadata.textContent = options.metadata;
  svg.prepend(title, metadata, definitions(svg), back);
  svg.append(caption);
  return svg;
}

/** Writes every look of a drawing out on its copy, as the page computes it now. */
function writeLooks(original: SVGElement, copy: SVGElement): void {
  const copies = [copy, ...copy.querySelectorAll("*")];
  for (const [at, source] of [original, ...original.querySelectorAll("*")].entries()) {
    const target = copies[at];
    if (target === undefined) continue;
    const computed = getComputedStyle(source);
    for (const name of looks) target.setAttribute(name, plain(computed.getPropertyValue(name)));
    target.removeAttribute("class");
    target.removeAttribute("style");
  }
}

/** The patterns and markers that a drawing refers to, copied from the page. */
function definitions(svg: SVGSVGElement): SVGElement {
  const defs = element("defs", {});
  const used = new Set(
    [...svg.querySelectorAll("*")].flatMap((each) =>
      ["fill", "stroke", "marker-end"].flatMap(
        (name) => /url\("?#([\w-]+)"?\)/.exec(each.getAttribute(name) ?? "")?.[1] ?? [],
      ),
    ),
  );
  for (const id of used) {
    const pattern = document.getElementById(id);
    const copy = pattern?.cloneNode(true);
    if (!(pattern instanceof SVGElement && copy instanceof SVGElement)) continue;
    writeLooks(pattern, copy);
    defs.append(copy);
  }
  return defs;
}

/** Colours of newer notations as the numbers that every reader of SVG knows. */
function plain(value: string): string {
  if (/^url\(/.test(value)) return value.replace(/url\("?[^"#]*(#[\w-]+)"?\)/, "url($1)");
  if (!/^(color|oklab|oklch|lab|lch)\(/.test(value)) return value;
  const pixel = new OffscreenCanvas(1, 1).getContext("2d");
  if (pixel === null) return value;
  pixel.fillStyle = value;
  pixel.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = pixel.getImageData(0, 0, 1, 1).data;
  return alpha === 255
    ? `rgb(${red}, ${green}, ${blue})`
    : `rgba(${red}, ${green}, ${blue}, ${(alpha / 255).toFixed(3)})`;
}

function element(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
