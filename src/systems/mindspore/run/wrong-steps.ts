import type { Box } from "#core/indexspace";
import { type Layout, slicesOf } from "#core/mesh";
import { flatSteps, type Redistribution, type SpmdProgram } from "#core/program";
import { boxText, edgesIn, type ProgramRead, type WrongStep } from "#systems/system";
import { type WrongForm, wrongCause } from "../wrong-numbers.ts";
import { sharedAxisSteps } from "./shared-axis.ts";

/** Steps that MindSpore 2.10 computes wrongly, with the resulting blocks of every rank. */
export function wrongSteps(read: ProgramRead): readonly WrongStep[] {
  return [...scatteredSteps(read), ...sharedAxisSteps(read)];
}

/** Reduce-scatters inside operators that deliver blocks to wrong ranks or along a wrong dim. */
function scatteredSteps({ program, diagnostics }: ProgramRead): readonly WrongStep[] {
  const said = new Set(diagnostics.map(({ code }) => code));
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const edgeOf = edgesIn(program);
  return program.redistributions.flatMap((redistribution): readonly WrongStep[] => {
    const edge = edgeOf(redistribution);
    if (edge?.isWritten !== true) return [];
    const groups = scatteredAmong(program, redistribution);
    const code = codeOf(edge.shape.length, groups, said);
    if (code === undefined) return [];
    const wanted = new Map(slicesOf(edge.to, edge.shape).map((each) => [each.device, each.ranges]));
    const held = code === scattersDim0 ? dim0Of(edge, groups) : ascendingOf(wanted, groups);
    const { tensor } = redistribution;
    const subject = names.get(tensor) ?? tensor;
    const devices = [...wanted].flatMap(([device, ranges]) => {
      const [own, other] = [ranges, held.get(device) ?? ranges].map(boxText);
      return own === other ? [] : [{ device, wanted: own ?? "", held: other ?? "" }];
    });
    return devices.length === 0
      ? []
      : [{ code, tensor, name: subject, subject, cause: wrongCause(code), devices }];
  });
}

const scattersDim0 = "mindspore/scatters-dim-0";

type Groups = readonly (readonly number[])[];

/** The groups of a redistribution's reduce-scatters, in the order of their blocks. */
function scatteredAmong(program: SpmdProgram, { index }: Redistribution): Groups {
  return flatSteps(program).flatMap((step) =>
    step.kind === "collective" && step.reshard === index && step.collective === "reduce-scatter"
      ? step.groups
      : [],
  );
}

function codeOf(rank: number, groups: Groups, said: ReadonlySet<string>): WrongForm | undefined {
  if (groups.length === 0) return undefined;
  if (rank > 2) return said.has(scattersDim0) ? scattersDim0 : undefined;
  const isTurned = groups.some((group) => ascending(group).join() !== group.join());
  return isTurned ? "mindspore/scatters-out-of-order" : undefined;
}

function ascending(group: readonly number[]): readonly number[] {
  return [...group].sort((a, b) => a - b);
}

/** The block that each rank gets if a group's blocks are dealt out in ascending order of ranks. */
function ascendingOf(
  wanted: ReadonlyMap<number, Box>,
  groups: Groups,
): ReadonlyMap<number, Box | undefined> {
  return new Map(
    groups.flatMap((group) =>
      ascending(group).map((rank, at) => [rank, wanted.get(group[at] ?? rank)] as const),
    ),
  );
}

/** The block that each rank of a group gets if the sum is scattered along dim 0. */
function dim0Of(
  { from, shape }: { readonly from: Layout; readonly shape: readonly number[] },
  groups: Groups,
): ReadonlyMap<number, Box> {
  const whole = new Map(slicesOf(from, shape).map((each) => [each.device, each.ranges]));
  return new Map(
    groups.flatMap((group) =>
      ascending(group).flatMap((rank, at) => {
        const [first, ...others] = whole.get(rank) ?? [];
        if (first === undefined) return [];
        const length = (first.stop - first.start) / group.length;
        const start = first.start + at * length;
        return [[rank, [{ start, stop: start + length }, ...others]] as const];
      }),
    ),
  );
}
