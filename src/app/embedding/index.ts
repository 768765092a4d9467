export { isFramedByOthers } from "./framing.ts";
export { hostOrigin, readMessage } from "./host.ts";
export {
  type EmbeddedView,
  embeddedLink,
  inMode,
  isInsideMode,
  type LinkMode,
  type LinkOptions,
  modeOf,
  optionsOf,
  wholeLink,
} from "./mode.ts";
