// Marks: the elements of every drawing, with their colours and fonts.

export { monoFont, uiFont } from "./fonts.ts";
export { type AxisTag, type Hue, hueOf, keepHues } from "./hue.ts";
export type { DeviceTile, Mark, MarkRole, Point, Rect, Size } from "./mark.ts";
export { lookOf, type Paint, type PatternPaint, textLooks } from "./mark-look.ts";
export { allPatterns, type Pattern, patternId, tileOf } from "./mark-pattern.ts";

// Helpers shared by several drawings of a plan.

export { type DisplayNames, displayNames, withDisplayedReaders } from "./display-names.ts";
export { allSteps } from "./folded.ts";
export { type GalleryDrawing, galleryDrawing } from "./gallery.ts";
export { rowsOf, type TableRow } from "./rows.ts";
