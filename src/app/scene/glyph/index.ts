// Glyphs: drawings of one tensor in a layout, and the table behind them.

export { deviceGlyphsOf } from "./device-glyph.ts";
export { type DrawnTensor, drawnIn } from "./drawn-dims.ts";
export { type GlyphOptions, glyphOf } from "./glyph.ts";
export { type Halos, haloSentence, halosOf, readsText } from "./halos.ts";
export {
  type Orientation,
  orientationIn,
  orientationKey,
  orientationText,
} from "./orientation.ts";
export { textureShare } from "./texture.ts";
