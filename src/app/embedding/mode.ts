/** How a link opens: as a whole page, or embedded in another page, where the plan is read-only. */
export type LinkMode = "whole" | "embed";

const marker = "m=embed";

/** The mode that a fragment or an address asks for. */
export function modeOf(link: string): LinkMode {
  return segmentsOf(link).includes(marker) ? "embed" : "whole";
}

/** A fragment or address that opens the plan embedded. */
export function embeddedLink(link: string): string {
  return modeOf(link) === "embed" ? link : `${link}&${marker}`;
}

/** A fragment or address that opens the plan as a whole page. */
export function wholeLink(link: string): string {
  const hash = link.indexOf("#");
  const kept = segmentsOf(link).filter((segment) => segment !== marker);
  return `${link.slice(0, hash + 1)}${kept.join("&")}`;
}

function segmentsOf(link: string): readonly string[] {
  const hash = link.indexOf("#");
  return hash < 0 ? [] : link.slice(hash + 1).split("&");
}
