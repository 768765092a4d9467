import type { HostFunction } from "#language/python";
import type { Recorder } from "../recorder.ts";
import type { Boxes } from "./boxes.ts";
import type { ModuleClasses } from "./module-classes.ts";
import type { TensorWords } from "./tensors.ts";

/** What the modules of MindSpore are made of. */
export interface MindsporeParts {
  readonly recorder: Recorder;
  readonly tensors: TensorWords;
  readonly boxes: Boxes;
  readonly modules: ModuleClasses;
  readonly layout: HostFunction;
}
