/** How a link asks the page to be: whole, or a part of another page that is only looked at. */
export type LinkMode = "whole" | "embed";

const marker = "m=embed";

/** The mode that a fragment or a whole address asks for. */
export function modeOf(link: string): LinkMode {
  return segmentsOf(link).includes(marker) ? "embed" : "whole";
}

/** The same fragment or address, to be embedded. */
export function embeddedLink(link: string): string {
  return modeOf(link) === "embed" ? link : `${link}&${marker}`;
}

/** The same fragment or address, to be opened whole. */
export function wholeLink(link: string): string {
  const hash = link.indexOf("#");
  const kept = segmentsOf(link).filter((segment) => segment !== marker);
  return `${link.slice(0, hash + 1)}${kept.join("&")}`;
}

function segmentsOf(link: string): readonly string[] {
  const hash = link.indexOf("#");
  return hash < 0 ? [] : link.slice(hash + 1).split("&");
}
