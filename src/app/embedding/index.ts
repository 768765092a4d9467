export { isFramedByOthers } from "./framing.ts";
export { embeddedLink, type LinkMode, modeOf, wholeLink } from "./mode.ts";
