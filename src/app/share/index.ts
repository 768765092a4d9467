// Links that contain a text.

export { codeOf } from "./code.ts";
export { leftOutOf } from "./document.ts";
export { type LengthTier, lengthTier } from "./length-tier.ts";
export {
  checkShareable,
  decodeLink,
  decodeText,
  encodeLink,
  encodeText,
  type Fragment,
  type Opened,
  readFragment,
} from "./link.ts";
export type { Refused } from "./refusal.ts";
export type { LinkFault, LinkView } from "./view.ts";

// Files that contain a text.

export { readFile, svgMetadata, withPngLink } from "./carry.ts";
export { packed, zipped } from "./zip.ts";
