import { groupsOf } from "#core/collective";
import type { DeviceMesh, Layout, Part } from "#core/mesh";
import type { ReshardStep } from "#core/reshard";
import { type GroupHop, type HeldBy, heldAfter, heldAtFirst } from "#systems/system";

/** A step over one mesh axis, or over several flattened ones. */
interface MeshHop extends GroupHop {
  readonly parts: readonly Part[];
}

/**
 * The blocks that DTensor 2.13's steps leave on every device (engine-torch.md §4.2): it cuts by
 * mesh coordinates, but gathers, scatters and exchanges in rank order. The initial blocks are
 * right. With `isFlattened`, consecutive gathers of a dim are one gather over a flattened mesh.
 * `undefined` for uneven blocks, whose padding is sent too.
 */
export function heldAsRun(
  steps: readonly ReshardStep[],
  { from, shape }: { readonly from: Layout; readonly shape: readonly number[] },
  { isFlattened }: { readonly isFlattened: boolean },
): HeldBy | undefined {
  const hops = steps.flatMap(hopsOf);
  let held: HeldBy | undefined = heldAtFirst(from, shape);
  for (const hop of isFlattened ? flattened(hops, from.mesh) : hops) {
    held = held && heldAfter(held, hop, groupsAsRun(hop, from.mesh));
  }
  return held;
}

function hopsOf({ collective, moves }: ReshardStep): readonly MeshHop[] {
  return moves.map(({ part, from, to }) => ({
    ...{ primitive: primitiveOf(collective), parts: [part] },
    ...{ down: from?.dim ?? 0, up: to?.dim ?? 0 },
  }));
}

function primitiveOf(collective: ReshardStep["collective"]): GroupHop["primitive"] {
  switch (collective) {
    case "slice":
      return "chunk";
    case "all-gather":
    case "all-to-all":
    case "all-reduce":
    case "reduce-scatter":
      return collective;
    default:
      throw new Error(`DTensor has no ${collective}`);
  }
}

/** Merges consecutive gathers of one dim into one hop. */
function flattened(hops: readonly MeshHop[], { axes }: DeviceMesh): readonly MeshHop[] {
  const places = new Map(axes.map(({ name }, place) => [name, place]));
  const meshAxisIndex = (part: Part) => (part.kind === "axis" ? (places.get(part.axis) ?? 0) : 0);
  const done: MeshHop[] = [];
  for (const hop of hops) {
    const last = done.at(-1);
    const isGather = hop.primitive === "all-gather" && last?.primitive === "all-gather";
    if (last === undefined || !isGather || last.down !== hop.down) {
      done.push(hop);
      continue;
    }
    const parts = [...last.parts, ...hop.parts].sort((a, b) => meshAxisIndex(a) - meshAxisIndex(b));
    done[done.length - 1] = { ...last, parts };
  }
  return done;
}

/** Groups of a hop, with devices in the order of their pieces. */
function groupsAsRun({ primitive, parts }: MeshHop, mesh: DeviceMesh) {
  const groups = groupsOf(mesh, parts);
  return primitive === "chunk" ? groups : groups.map((group) => [...group].sort((a, b) => a - b));
}
