import type { Recorder } from "#language/document/trace";
import type { Context } from "#language/python";

/**
 * Number of devices assumed for a policy in a text without a mesh and without a `ComputeConfig`.
 */
const assumedDevices = 4;

/**
 * Gives a policy devices if the text has no mesh: those of its `ComputeConfig`, else an assumed
 * number, which is reported with a fix that writes it.
 */
export function assumedMesh(
  recorder: Recorder,
  context: Context,
  configured: number | undefined,
): void {
  const { meshes, layouts } = recorder.trace;
  if (meshes.length > 0 || layouts.length > 0) return;
  const span = { from: 0, to: 0 };
  const size = configured ?? assumedDevices;
  const axis = { name: "gpus", size, span, sizeSpan: span };
  meshes.push({ axes: [axis], devices: undefined, isAssumed: true, span });
  const { source } = context;
  const statement = `mesh = Mesh(gpus=${size})`;
  const lead = source.endsWith("\n") ? "" : "\n";
  const edit = { from: source.length, to: source.length, text: `${lead}${statement}\n` };
  context.report({
    code: "document/assumed-devices",
    severity: "info",
    message: `the text has no mesh: its policy is run for ${size} device${size === 1 ? "" : "s"}`,
    span,
    fixes: [{ title: `Write ${statement}`, edits: [edit] }],
  });
}
