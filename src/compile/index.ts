export { compile } from "./compile.ts";
export type { Compiled, Gesture, GestureOutcome, MeshView, TensorView } from "./compiled.ts";
export { applyGesture } from "./gesture.ts";
