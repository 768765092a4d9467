// Drawings as SVG files.

export {
  canvasPicture,
  framePicture,
  operatorPicture,
  stepPictures,
  tensorPicture,
} from "./pictures.ts";
export {
  colourOf,
  mixed,
  type SvgColours,
  type SvgTheme,
  svgColours,
  tokenOf,
} from "./svg-colours.ts";
