import { type DeviceMesh, type Part, slicesOf, wholeAxis } from "#core/mesh";
import { meshFor } from "#language/document/graph";
import type { MapEntry, TracedOperator } from "#language/document/trace";
import { boxText, type ProgramRead, type WrongStep } from "#systems/system";
import { entryList } from "../operators/call.ts";
import { modelOperator } from "../operators/model-operator.ts";
import { modelCall, writtenStrategy } from "../plans/model-call.ts";
import { type WrongForm, wrongCause } from "../wrong-numbers.ts";

const code: WrongForm = "mindspore/shares-last-axis";

/**
 * Products whose rows and columns are both cut by the last axis: every rank returns the block where
 * its rows and its columns meet, and no rank has the other blocks. The right result of a rank would
 * be its rows with all columns. If an operator reads the product, MindSpore refuses it instead.
 */
export function sharedAxisSteps({ diagnostics, read }: ProgramRead): readonly WrongStep[] {
  const places = diagnostics.flatMap((each) =>
    each.code === code && each.upstream === undefined && each.span ? [each.span] : [],
  );
  if (places.length === 0) return [];
  const { built, mesh } = read();
  return [...built.operatorOf].flatMap(([traced, { outputs }]): readonly WrongStep[] => {
    const { strategy } = traced;
    const [output] = outputs;
    const isMeant = places.some(
      ({ from, to }) => strategy && strategy.span.from <= from && to <= strategy.span.to,
    );
    const held = isMeant ? blocksOf(traced, mesh.mesh) : undefined;
    if (held === undefined || output === undefined) return [];
    const { tensor } = output;
    const name = built.graph.tensors.find(({ id }) => id === tensor)?.name ?? tensor;
    const told = { code, tensor, name, subject: name, cause: wrongCause(code) };
    return [{ ...told, devices: held }];
  });
}

/**
 * For every device, the block that it holds and the one that it should hold (its rows with all
 * columns).
 */
function blocksOf(traced: TracedOperator, all: DeviceMesh): WrongStep["devices"] | undefined {
  const { strategy } = traced;
  const [call, written] = [modelCall(traced, all.devices.length), writtenStrategy(strategy)];
  const [spec] = strategy?.kind === "layouts" ? strategy.inputs : [];
  const model = call && written && modelOperator(call, written);
  const [output] = model?.ok === true ? model.value.outputs : [];
  if (output === undefined || spec === undefined) return undefined;
  const [names, mesh] = [spec.spec.aliasName, meshFor(spec.spec, all)];
  const partsOfEntry = (entry: MapEntry): readonly Part[] =>
    entryList(entry).flatMap((axis) => {
      const name = names[names.length - 1 - axis];
      return axis < 0 || name === undefined ? [] : [wholeAxis(mesh, name)];
    });
  const dims = output.map.map((entry) => ({ parts: partsOfEntry(entry), chunks: "flat" as const }));
  const wanted = dims.with(-1, { parts: [], chunks: "flat" });
  const blocks = [wanted, dims].map((each) =>
    slicesOf({ mesh, dims: each, partials: [] }, output.shape),
  );
  const [whole = [], cut = []] = blocks;
  return whole.map(({ device, ranges }, at) => ({
    device,
    ...{ wanted: boxText(ranges), held: boxText(cut[at]?.ranges ?? []) },
  }));
}
