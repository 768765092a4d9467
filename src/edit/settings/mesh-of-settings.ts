import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import type { ParallelSettings } from "#systems/settings";

/** Mesh axes of settings: those of the batch, outermost first, then those of layers. */
export interface SettingsMesh {
  readonly axes: readonly { readonly name: string; readonly size: number }[];
  /** Axes that shard the batch. */
  readonly batch: readonly string[];
  /** Axis over which experts are distributed. */
  readonly experts?: string;
  /** Axis that cuts a layer's columns and rows. */
  readonly tensor?: string;
  readonly notes: readonly Diagnostic[];
}

/**
 * The mesh of settings. Pipeline stages and context parallelism are left out, with a note: it is
 * the mesh of one stage. Sizes that the settings leave open use up the present devices.
 *
 * @param present number of devices of the program's present mesh
 */
export function meshOfSettings(settings: ParallelSettings, present: number): Checked<SettingsMesh> {
  const { tensor, pipeline, context, data } = settings;
  const devices = settings.devices ?? (data === undefined ? present : undefined);
  const stages = pipeline * context;
  const shared = data ?? (devices ?? 1) / (tensor * stages);
  if (!Number.isInteger(shared))
    return noFit(`${devices} devices are no multiple of ${tensor * stages}`);
  if (devices !== undefined && shared * tensor * stages !== devices)
    return noFit(`${shared} × ${tensor * stages} devices are not ${devices}`);
  const experts = expertAxes(settings, shared);
  if (!experts.ok) return experts;
  const { batch, axis } = experts.value;
  const axes = [...batch, ...(tensor > 1 ? [{ name: "tp", size: tensor }] : [])];
  return passed({
    axes: axes.length > 0 ? axes : [{ name: "dp", size: 1 }],
    batch: batch.map(({ name }) => name),
    ...(axis !== undefined && { experts: axis }),
    ...(tensor > 1 && { tensor: "tp" }),
    notes: [...stageNotes("pipeline", pipeline), ...stageNotes("context", context)],
  });
}

type Axes = { readonly name: string; readonly size: number }[];

/**
 * Axes of experts: devices that share the batch also share the experts, over all of them or an
 * inner part.
 */
function expertAxes(
  { expert, tensor }: ParallelSettings,
  shared: number,
): Checked<{ readonly batch: Axes; readonly axis?: string }> {
  const whole: Axes = shared > 1 ? [{ name: "dp", size: shared }] : [];
  if (expert === 1) return passed({ batch: whole });
  if (expert === shared) return passed({ batch: whole, axis: "dp" });
  if (expert === tensor) return passed({ batch: whole, axis: "tp" });
  if (shared % expert !== 0)
    return noFit(
      `${expert} devices that share experts do not divide the ${shared} that share a batch`,
    );
  return passed({
    batch: [
      { name: "dp", size: shared / expert },
      { name: "ep", size: expert },
    ],
    axis: "ep",
  });
}

function stageNotes(what: string, count: number): readonly Diagnostic[] {
  if (count === 1) return [];
  const message = `not modelled: ${what} parallelism of ${count}; the mesh is the devices of one ${what === "pipeline" ? "stage" : "part of a sequence"}, and the whole model lies on it`;
  return [{ code: "settings/not-modelled", severity: "warning", message }];
}

function noFit(message: string): Checked<never> {
  return failed({ code: "settings/no-fit", severity: "error", message });
}
