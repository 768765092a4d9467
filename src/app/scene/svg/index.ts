// Drawings as SVG files.

export {
  boardPicture,
  canvasPicture,
  framePicture,
  legendPicture,
  meshPicture,
  operatorPicture,
  type PictureLook,
  planPicture,
  spacePicture,
  stepPictures,
  stripPicture,
  tensorPicture,
} from "./pictures.ts";
export {
  colourOf,
  mixColours,
  type SvgColours,
  type SvgTheme,
  svgColours,
  tokenOf,
} from "./svg-colours.ts";
