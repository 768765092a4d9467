import { float, hostFunction, integer, none, passedOn } from "#language/document/bindings/values";
import type { Value } from "#language/python";

/** `torch.Size([2, 3])`. */
export const sizeWord: Value = {
  ...hostFunction("Size", ([first], context, span) => ({
    kind: "tuple",
    items: first === undefined ? [] : context.iterate(first.value, span),
  })),
  isInstance: ({ kind }) => kind === "tuple",
};

/** Numbers, and the `None` that makes a dim. */
export const constants: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["pi", float(Math.PI)],
  ["e", float(Math.E)],
  ["inf", float(Number.POSITIVE_INFINITY)],
  ["nan", float(Number.NaN)],
  ["newaxis", none],
]);

const answers = (names: readonly string[], value: Value) =>
  names.map((name) => [name, hostFunction(name, () => value)] as const);

/**
 * Functions of torch and its submodules that leave nothing in a graph, except those of
 * `torch.nn.utils`.
 */
export const utilities: Readonly<Record<string, Value>> = Object.fromEntries([
  ...answers(
    [
      ...["is_available", "is_initialized", "is_tracing", "is_scripting", "is_compiling"],
      "is_autocast_available",
    ],
    { kind: "bool", value: false },
  ),
  ...answers(["device_count", "get_world_size"], integer(1)),
  ...answers(["get_rank"], integer(0)),
  ...answers(
    [
      ...["manual_seed", "seed", "set_default_device", "synchronize"],
      ...["use_deterministic_algorithms", "set_printoptions"],
      ...["empty_cache", "set_device", "destroy_process_group", "init_process_group", "barrier"],
      ...["assert_close", "assert_allclose", "_assert", "_assert_async", "_check"],
      ...["_check_is_size", "_check_index", "_check_value", "_check_type"],
    ],
    none,
  ),
  ["remove_spectral_norm", passedOn("remove_spectral_norm")],
]);

const yes: Value = { kind: "bool", value: true };

/**
 * Answers of `torch.cuda` and `torch.accelerator` about the machine: the devices of a mesh are
 * GPUs.
 */
const onGpu: ReadonlyMap<string, Value> = new Map([
  ...answers(["is_available", "is_bf16_supported"], yes),
  ...answers(["current_device", "current_device_index"], integer(0)),
  ...answers(["set_device_index", "set_device_idx"], none),
]);

/** Whether a submodule of torch speaks of the devices that a board has. */
export function isDevices(module: string): boolean {
  return module === "torch.cuda" || module === "torch.accelerator";
}

/** The answer of a device submodule of torch, such as `torch.cuda`, to one of its names. */
export function deviceFact(module: string, name: string): Value | undefined {
  return isDevices(module) ? onGpu.get(name) : undefined;
}
