import type { Diagnostic, Span } from "#core/diagnostics";
import type { DeviceMesh } from "#core/mesh";
import { meshOfSpec } from "#language/document/graph";
import type { LayoutSpec, Trace } from "#language/document/trace";
import { parallelSetting } from "./parallel-mode.ts";

/** A `Layout` with its span in the text. */
interface PlacedSpec {
  readonly spec: LayoutSpec;
  readonly span: Span;
}

/**
 * Errors for Layouts with a wrong number of devices: any layout if the text's `Mesh(…)` fixes the
 * devices, layouts given to operators if the context sets the number.
 */
export function otherDeviceCounts(trace: Trace, mesh: DeviceMesh): readonly Diagnostic[] {
  const [written] = trace.meshes;
  if (written !== undefined && written.isAssumed !== true) {
    const related = [{ message: "the mesh", span: written.span }];
    const fits = (devices: number) => devices === mesh.devices.length;
    const has = `the mesh has ${mesh.devices.length}`;
    return misfitting(trace.layouts, fits, has).map((each) => ({ ...each, related }));
  }
  const { devices, unread } = parallelSetting(trace) ?? {};
  // With pipeline stages, a layout covers the devices of one stage.
  if (devices === undefined || unread?.includes("stages") === true) return [];
  const given = new Map(
    trace.operators.flatMap(({ strategy }) =>
      strategy?.kind === "layouts"
        ? [...strategy.inputs, ...(strategy.outputs ?? [])].map(
            ({ spec }) => [spec, strategy.span] as const,
          )
        : [],
    ),
  );
  const specs = [...given].map(([spec, span]) => ({ spec, span }));
  return misfitting(specs, (own) => own === devices, `device_num is ${devices}`);
}

function misfitting(
  specs: readonly PlacedSpec[],
  fits: (devices: number) => boolean,
  has: string,
): readonly Diagnostic[] {
  return specs.flatMap(({ spec, span }): Diagnostic[] => {
    const devices = meshOfSpec(spec).axes.reduce((product, { size }) => product * size, 1);
    if (fits(devices)) return [];
    const message = `this Layout arranges ${devices} devices, but ${has}`;
    const code = "mindspore/layout-device-count";
    return [{ code, severity: "error", message, span, upstream: "RuntimeError" }];
  });
}
