// The step player: pictures of collectives and operators, and the tensors that devices hold
// meanwhile.

export type { Frame } from "./frame.ts";
export { framePlus, frameTexts, frameWay } from "./frame-look.ts";
export type { FramePiece } from "./frame-pieces.ts";
export {
  type FrameRoom,
  type FrameScene,
  type FrameText,
  frameScene,
  plateWidth,
} from "./frame-scene.ts";
export { type FrameWay, pointOn } from "./frame-ways.ts";
export { framesOf, ringFramesOf } from "./frames.ts";
export { heldText, liveTensors } from "./live-tensors.ts";
export { type OperatorFrame, operatorFrameOf } from "./operator-frame.ts";
export { operatorScene } from "./operator-scene.ts";
export { type PlayedStep, playedIndex, playedPlace, playedSteps } from "./played-steps.ts";
