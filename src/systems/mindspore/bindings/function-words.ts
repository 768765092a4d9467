import { writtenShapeOf } from "#language/document/bindings";
import { hostFunction, none, numberOf, textOf } from "#language/document/bindings/values";
import type { Constant } from "#language/document/trace";
import type { HostFunction } from "#language/python";
import { isSemiAuto, parallelSetting } from "../plans/parallel-mode.ts";
import { dtypesOf } from "./leaf.ts";
import type { MindsporeParts } from "./parts.ts";
import { typeFault } from "./result-types.ts";

/**
 * `unread(name)`: an assumed tensor, with a warning, in place of an unread function whose arguments
 * are numbers only.
 */
export function unreadWord({ opaque }: Pick<MindsporeParts, "opaque">): HostFunction {
  return hostFunction("unread", ([given], context, span) => {
    const name = textOf(given?.value) ?? "";
    const code = "mindspore/no-rule";
    const message = `how MindSpore makes and splits what "${name}" gives is not known here`;
    context.report({ code, severity: "warning", message, span });
    return opaque.assumed(name);
  });
}

/** `is_parameter(x)`: whether a tensor is a parameter, which in-place functions assign to. */
export function parameterWord({ tensors }: Pick<MindsporeParts, "tensors">): HostFunction {
  return hostFunction("is_parameter", ([given]) => ({
    kind: "bool",
    value: tensors.tensorOf(given?.value)?.role === "parameter",
  }));
}

/** `is_constant(x)`: whether a tensor is made from numbers and was not fed to a net. */
export function heldWord({ tensors }: Pick<MindsporeParts, "tensors">): HostFunction {
  return hostFunction("is_constant", ([given]) => {
    const tensor = tensors.tensorOf(given?.value);
    const isMade = tensor?.producer === undefined && tensor?.role === "input";
    return { kind: "bool", value: isMade && tensor.fed === undefined };
  });
}

/**
 * `check_even(name, x)`: 2.10 refuses a method that takes a mask and has no rule of its own if the
 * number of devices does not divide dim 0.
 */
export function evenWord({
  recorder,
  tensors,
}: Pick<MindsporeParts, "recorder" | "tensors">): HostFunction {
  return hostFunction("check_even", ([name, given], context, span) => {
    const { devices = 1 } = parallelSetting(recorder.trace) ?? {};
    const [rows] = tensors.tensorOf(given?.value)?.shape ?? [];
    if (typeof rows !== "number" || rows % devices === 0) return none;
    const message = `MindSpore 2.10 cannot compile ${textOf(name?.value)} of a dim 0 of ${rows} on ${devices} devices: it infers no layout of its inputs`;
    return context.raise("RuntimeError", message, span);
  });
}

/**
 * `check_type(name, x)`: raises TypeError for data types that the primitive of this name refuses.
 */
export function typeWord({ tensors }: Pick<MindsporeParts, "tensors">): HostFunction {
  return hostFunction("check_type", ([name, ...args], context, span) => {
    const fault = typeFault(tensors, textOf(name?.value) ?? "", args);
    return fault === undefined ? none : context.raise("TypeError", fault, span);
  });
}

/** `is_split()`: whether MindSpore shards the operators of the program over several devices. */
export function splitWord({ recorder }: Pick<MindsporeParts, "recorder">): HostFunction {
  return hostFunction("is_split", () => {
    const { devices = 1 } = parallelSetting(recorder.trace) ?? {};
    return { kind: "bool", value: isSemiAuto(recorder.trace) && devices > 1 };
  });
}

/**
 * `constant(shape, dtype, value, step)`: a tensor known at compile time. `value` fills it; with
 * `step` it is an arithmetic sequence that starts at `value`.
 */
export function constantWord({
  recorder,
  tensors,
}: Pick<MindsporeParts, "recorder" | "tensors">): HostFunction {
  return hostFunction("constant", ([shape, dtype, value, by], context, span) => {
    const sizes = shape && writtenShapeOf(shape.value);
    const fill = numberOf(value?.value);
    const constant = fill === undefined ? undefined : constantOf(fill, numberOf(by?.value));
    const isGiven = sizes?.every((size) => typeof size === "number") === true;
    return tensors.object(
      recorder.leaf(
        {
          role: "input",
          shape: sizes,
          shapeStatus: isGiven ? "set" : "assumed",
          ...(constant !== undefined && { constant }),
          ...dtypesOf(textOf(dtype?.value) ?? "float32"),
          span,
        },
        context,
      ),
    );
  });
}

function constantOf(start: number, step: number | undefined): Constant {
  return step === undefined ? { kind: "fill", value: start } : { kind: "row", start, step };
}
