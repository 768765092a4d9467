import type { BindingParts, SystemBindings } from "#language/document/bindings";
import type { Context, ModuleValue, Value } from "#language/python";
import { endParallel } from "../parallel/run-end.ts";
import { endTraining } from "../training/run-end.ts";
import { ArrayWords } from "./array-words.ts";
import type { FunctionWrappers } from "./function-wrappers.ts";
import { callMethod } from "./methods.ts";
import { numpyModule } from "./numpy.ts";
import { TorchBindings } from "./torch.ts";

/** The modules of torch and of the packages around it in one run of a program. */
export class BoundTorch implements SystemBindings {
  private readonly parts: BindingParts;
  private readonly torch: TorchBindings;

  private readonly arrays: ArrayWords;

  constructor(parts: BindingParts) {
    this.parts = parts;
    this.torch = new TorchBindings(parts);
    this.arrays = new ArrayWords(parts.tensors, this.torch.libraries);
  }

  module(name: string): ModuleValue | undefined {
    if (name === "numpy") return numpyModule(this.parts.opaque, this.torch, this.arrays);
    return this.torch.module(name);
  }

  callMethod(
    ...call: Parameters<NonNullable<SystemBindings["callMethod"]>>
  ): ReturnType<NonNullable<SystemBindings["callMethod"]>> {
    return callMethod(this.torch, ...call);
  }

  arrayMethod(name: string, context: Context): Value | undefined {
    return this.arrays.method(name, context);
  }

  hasMethod(name: string): boolean {
    return (
      /^(?:new|new_.*|redistribute|full_tensor|to_local)$/.test(name) || this.torch.hasMethod(name)
    );
  }

  release(source: string): void {
    const { recorder, tensors } = this.parts;
    const { trace } = recorder;
    const { record } = this.torch.parallel;
    endTraining({
      ...{ record: this.torch.training, trace, source },
      backwardCalls: this.parts.tensors.backwardCalls,
      policy: record.isEmpty ? undefined : record.policy,
      isOff: (tensor) => tensors.isOff(tensors.object(tensor)),
    });
    endParallel(record, trace, source);
  }

  beforeDrawing(context: Context, globals: ReadonlyMap<string, Value>): void {
    this.torch.parallel.callUncalled(context, globals);
  }

  inside(value: Value): Value | undefined {
    return this.torch.parallel.inside(value);
  }

  /** The wrappers of the program's functions. */
  get wrappers(): FunctionWrappers {
    return this.torch.wrappers;
  }
}

/** The torch bindings of a program; `undefined` until the program uses torch. */
export function torchIn({ boundAs }: Pick<BindingParts, "boundAs">): BoundTorch | undefined {
  const bound = boundAs("torch");
  return bound instanceof BoundTorch ? bound : undefined;
}
