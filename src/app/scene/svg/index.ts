// Drawings as SVG files.

export {
  canvasPicture,
  framePicture,
  legendPicture,
  meshPicture,
  operatorPicture,
  type PictureLook,
  spacePicture,
  stepPictures,
  stripPicture,
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
