export { type Box, boxOf, intersect, lengthOf, type Range, sameBox, volumeOf } from "./range.ts";
