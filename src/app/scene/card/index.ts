// Cards and lines of the canvas: their words and their look.

export { annotationRuns } from "./annotation-runs.ts";
export { badgeCard, differenceText, resultCard, runCard, stackCard } from "./block-card.ts";
export { type AnnotationRun, type CardPiece, type CardRow, pieceText } from "./card.ts";
export {
  canvasTexts,
  cardPadding,
  cardPlaceOf,
  chipLook,
  frontOf,
  glyphGap,
  glyphRooms,
  inputPadding,
  paperEdge,
  papers,
  stackStep,
  statusLook,
  type TextLook,
} from "./card-look.ts";
export { type CardSource, farCardOf } from "./card-of.ts";
export {
  edgeArrow,
  frameLook,
  headCorners,
  headLook,
  lineLook,
  lineWidth,
  rangeHalo,
  rangePlace,
} from "./line-look.ts";
export { cutHues, operatorCard } from "./operator-card.ts";
export { inputCard, stateCard, tensorCard } from "./tensor-card.ts";
