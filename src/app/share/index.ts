export { readFile, svgMetadata, withPngLink } from "./carry.ts";
export { leftOutOf } from "./document.ts";
export { type LengthTier, lengthTier } from "./length-tier.ts";
export {
  checkShareable,
  decodeLink,
  encodeLink,
  type Fragment,
  type Opened,
  readFragment,
} from "./link.ts";
export type { Refused } from "./refusal.ts";
export type { LinkView } from "./view.ts";
export { zipped } from "./zip.ts";
