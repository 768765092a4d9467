export { compile } from "./compile.ts";
export type {
  Compiled,
  Gesture,
  GestureOutcome,
  MeshView,
  PolicyOutcome,
  TensorView,
} from "./compiled.ts";
export { applyGesture } from "./gesture.ts";
