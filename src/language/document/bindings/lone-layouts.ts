import type { Span } from "#core/diagnostics";
import type { Context, Value } from "#language/python";
import type { SystemLayout } from "../system.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { Trace } from "../trace/trace.ts";
import type { WrittenLayout } from "../trace/written-layouts.ts";
import { writtenLayoutOf } from "./mesh-bindings.ts";

/**
 * Shows each layout of a text without tensors on a tensor of the layout's name, with the smallest
 * dims that the layout allows.
 */
export function drawLoneLayouts(
  recorder: Recorder,
  globals: ReadonlyMap<string, Value>,
  context: Context,
  layoutOf: (value: Value) => SystemLayout | undefined,
): void {
  const { trace } = recorder;
  for (const [name, value] of globals) {
    const own = layoutOf(value);
    const called = own?.isResult === true ? own.written : undefined;
    const layout = own === undefined ? writtenLayoutOf(value) : called;
    if (layout === undefined) continue;
    const { spec } = own ?? {};
    const sizes = spec
      ? new Map(spec.aliasName.map((alias, index) => [alias, spec.deviceMatrix[index] ?? 1]))
      : axisSizes(trace);
    draw(recorder, name, layout, sizes, context);
    const target = trace.tensors.at(-1);
    if (target !== undefined) {
      trace.places.push({ target, layout, ...(spec && { spec }), span: layout.span });
    }
  }
}

function axisSizes({ meshes }: Trace): ReadonlyMap<string, number> {
  return new Map(meshes[0]?.axes.map(({ name, size }) => [name, size]));
}

function draw(
  recorder: Recorder,
  name: string,
  { dims, span }: WrittenLayout & { readonly span: Span },
  sizes: ReadonlyMap<string, number>,
  context: Context,
): void {
  const shape = dims.map(({ axes }) =>
    axes.reduce((product, axis) => product * (sizes.get(axis.name) ?? 1), 1),
  );
  const spec = { role: "input", shape, shapeStatus: "assumed", span } as const;
  const tensor = recorder.leaf({ ...spec, dtype: "f32", dtypeText: "f32" }, context);
  tensor.name = { text: name, frames: [] };
}
