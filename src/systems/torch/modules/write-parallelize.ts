import { flatSteps, type SpmdProgram } from "#core/program";
import { type CodeInput, NotWritten, type WrittenFile, writtenFile } from "#systems/arrays";
import { dottedName, type ForwardFlow } from "./forward-flow.ts";
import { fileText } from "./module-file.ts";
import { modulePlan } from "./module-plan.ts";
import { givenNotes, isSummedLoss, otherNotes, resultNotes } from "./notes.ts";
import type { ValuePaths } from "./paths-of-values.ts";
import { placeOn, whole } from "./place.ts";
import { styleEntries } from "./style-texts.ts";
import { trainLoop } from "./train-loop.ts";
import { type WrittenMesh, writtenMesh } from "./written-mesh.ts";

/** Facts that the exported file checks when the model runs in parallel. */
export interface ModuleClaims {
  /** Sizes of the mesh's axes by name, those over which the batch is shared out first. */
  readonly mesh: Readonly<Record<string, number>>;
  readonly tensorAxis?: string;
  readonly dataAxes: readonly string[];
  /** How often a forward pass runs each collective along the axis of the styles. */
  readonly forward: Readonly<Record<string, number>>;
  /** The same for a backward pass, gradients of parameters included. */
  readonly backward: Readonly<Record<string, number>>;
  /** The same for the plan's own forward pass, inside the model. */
  readonly planned: Readonly<Record<string, number>>;
  /** The dim that the tensor-parallel axis cuts, by the parameter's name in the state dict. */
  readonly cut: Readonly<Record<string, number>>;
  /** The data type that parameters are computed with, where it is another one than their own. */
  readonly computed?: string;
}

/**
 * Writes a plan as the calls that run the text's own module class by it: `parallelize_module` with a
 * style for each module that is cut, and `fully_shard` or `replicate` for the axes that share out the
 * batch (engine-torch.md §5).
 */
export function writeParallelize(input: CodeInput): WrittenFile<ModuleClaims> {
  return writtenFile(() => {
    const { program } = input;
    const { flow, mesh, roles, paths, sharding } = modulePlan(input);
    const { modules } = flow;
    const { tensor: axis } = roles;
    const entries = paths === undefined ? [] : styleEntries(flow, paths);
    if (entries.length === 0 && sharding.cut === undefined && sharding.copied === undefined)
      throw new NotWritten("no axis of the mesh cuts or shares out anything of the model");
    const on = writtenMesh(mesh, roles, sharding);
    const notes = [
      ...(input.otherwise === undefined ? [] : [input.otherwise]),
      ...differences(flow, program, paths, axis),
      ...givenNotes(flow, roles, paths),
      ...resultNotes(flow, paths, axis),
      ...sharding.notes,
      ...otherNotes(flow, program, roles.data),
    ];
    const file = {
      modules,
      on,
      entries,
      sharding,
      lists: listsIn(flow),
      ties: entries.length === 0 ? [] : tiesIn(flow),
      training: trainLoop(program),
      notes,
      isSummed: isSummedLoss(flow, roles.data),
    };
    const computed = sharding.policy?.param;
    const claims = {
      ...claimsOf(flow, program, { on, paths }),
      ...(computed !== undefined && { computed }),
    };
    const [note] = notes;
    return { text: fileText(file), claims, ...(note !== undefined && { note: notes.join(" ") }) };
  });
}

/** Pairs of modules that share one weight. */
function tiesIn(flow: ForwardFlow): readonly (readonly [string, string])[] {
  return [...flow.tensors.values()].flatMap(({ id, name, role }) => {
    const owner = dottedName(name).replace(/\.weight$/u, "");
    const readers = new Set(
      role === "parameter" ? flow.readsInside(id).map(({ path }) => path) : [],
    );
    return [...readers].flatMap((path): [string, string][] =>
      path === undefined || path === owner || readers.size < 2 ? [] : [[path, owner]],
    );
  });
}

/** Lists of modules that hold parameters: `blocks` of `blocks.3.attn.q.weight`. */
function listsIn(flow: ForwardFlow): readonly string[] {
  const names = [...flow.tensors.values()].filter(({ role }) => role === "parameter");
  const lists = names.flatMap(({ name }) => /^(.*?)\.\d+\./.exec(dottedName(name))?.[1] ?? []);
  return [...new Set(lists)];
}

/** The collectives of the plan's own forward pass inside the model along an axis. */
function plannedOf(flow: ForwardFlow, program: SpmdProgram, axis: string): readonly string[] {
  const names = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  const isMade = (tensor: (typeof program.values)[number]["tensor"] | undefined) =>
    tensor !== undefined &&
    flow.tensor(tensor).role !== "parameter" &&
    (flow.madeIn(tensor) !== undefined || flow.readsInside(tensor).length > 0);
  return flatSteps(program).flatMap((step) => {
    if (step.kind !== "collective" || step.phase !== "forward") return [];
    const isHere = step.collective !== "slice" && step.axes.includes(axis);
    return isHere && isMade(names.get(step.input)) ? [step.collective] : [];
  });
}

/** The collectives of the plan's backward pass along an axis. */
function backwardOf(program: SpmdProgram, axis: string): readonly string[] {
  return flatSteps(program).flatMap((step) => {
    if (step.kind !== "collective" || step.phase !== "backward") return [];
    return step.collective !== "slice" && step.axes.includes(axis) ? [step.collective] : [];
  });
}

function countsOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** The collectives in which PyTorch differs from the plan, as sentences. */
function differences(
  flow: ForwardFlow,
  program: SpmdProgram,
  paths: ValuePaths | undefined,
  axis: string | undefined,
): readonly string[] {
  if (paths === undefined || axis === undefined) return [];
  const forward = countsOf(paths.collectives.map(({ collective }) => collective));
  const backward = returnedOf(flow, program, paths);
  return [
    ...difference(
      `Along ${axis} a forward pass`,
      forward,
      countsOf(plannedOf(flow, program, axis)),
    ),
    ...difference(`Along ${axis} a backward pass`, backward, countsOf(backwardOf(program, axis))),
  ];
}

function difference(what: string, sent: Counts, planned: Counts): readonly string[] {
  const kinds = [...new Set([...Object.keys(planned), ...Object.keys(sent)])].sort();
  if (kinds.every((kind) => planned[kind] === sent[kind])) return [];
  const said = (counts: Counts) =>
    kinds.flatMap((kind) => (counts[kind] ? [`${counts[kind]} × ${kind}`] : [])).join(", ") ||
    "nothing";
  return [`${what} of these styles sends ${said(sent)}, where the plan sends ${said(planned)}.`];
}

type Counts = Readonly<Record<string, number>>;

/** The collectives of a backward pass of styles, gradients of whole parameters on parts of a sequence too. */
function returnedOf(flow: ForwardFlow, program: SpmdProgram, paths: ValuePaths): Counts {
  if (flatSteps(program).every(({ phase }) => phase !== "backward")) return {};
  const layers = [...paths.leaves.values()].filter(({ kind }) => kind === "sequence");
  const weights = layers.flatMap(({ path }) =>
    [...flow.tensors.values()].filter(
      ({ id, role }) =>
        role === "parameter" && flow.readsInside(id).some((read) => read.path === path),
    ),
  );
  return countsOf([...paths.returned, ...weights.map(() => "all-reduce")]);
}

function claimsOf(
  flow: ForwardFlow,
  program: SpmdProgram,
  {
    on: { mesh, tensor: axis, data },
    paths,
  }: { readonly on: WrittenMesh; readonly paths: ValuePaths | undefined },
): ModuleClaims {
  const parameters = [...flow.tensors.values()].filter(({ role }) => role === "parameter");
  const cut = parameters.flatMap(({ id, name }): [string, number][] => {
    const [read] = flow.readsInside(id);
    const place = axis !== undefined && read ? placeOn(read.layout, axis, name) : whole;
    return place.kind === "cut" ? [[dottedName(name), place.dim]] : [];
  });
  return {
    mesh: Object.fromEntries(mesh.axes.map(({ name, size }) => [name, size])),
    ...(axis !== undefined && { tensorAxis: axis }),
    dataAxes: data,
    forward: countsOf(paths?.collectives.map(({ collective }) => collective) ?? []),
    backward: paths === undefined ? {} : returnedOf(flow, program, paths),
    planned: axis === undefined ? {} : countsOf(plannedOf(flow, program, axis)),
    cut: Object.fromEntries(cut),
  };
}
