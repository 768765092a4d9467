export type { Compiled, Gesture, GestureOutcome, MeshView, TensorView } from "./compiled.ts";
