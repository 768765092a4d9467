import type { Compiled } from "#compile";
import type { Collective } from "#core/collective";
import type { Graph, OperatorId, Phase, TensorId } from "#core/ir";
import type { CollectiveStep, Redistribution, SpmdProgram } from "#core/program";
import type { DisplayNames } from "../display-names.ts";
import { allSteps, type StepRuns, stepRunsOf } from "../folded.ts";
import { runsOfRedistributions, stepsByRedistribution } from "./comm-summary.ts";
import { formatBytes } from "./numbers.ts";

/**
 * One redistribution as a line of the step list: `2 all-gather mp of h, 1.05 MB`, with `, 24 times`
 * for the first of 24 equal blocks and `, 3 of 24` for the third.
 */
export interface RedistributionLine {
  readonly redistribution: number;
  readonly text: string;
}

/**
 * Consecutive redistributions of one phase and, if they are in one, of one block of a module list:
 * `Forward`, `Forward, blocks[3]`.
 */
export interface RedistributionGroup {
  readonly heading: string;
  readonly lines: readonly RedistributionLine[];
}

/**
 * The redistributions grouped by phase and block, in program order.
 *
 * @param stepRuns the equal blocks, if already computed
 * @param said display names of tensors; names of the text if absent
 */
export function redistributionList(
  program: SpmdProgram,
  stepRuns: readonly StepRuns[] = stepRunsOf(program),
  said?: DisplayNames,
): readonly RedistributionGroup[] {
  const groups: { readonly heading: string; readonly lines: RedistributionLine[] }[] = [];
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const steps = stepsByRedistribution(program);
  const runs = blockRuns(program, stepRuns);
  const often = runsOfRedistributions(program);
  const blockOf = blocksOfTensors(program.graph);
  for (const [at, { index, tensor, bytes }] of program.redistributions.entries()) {
    const own = steps.get(index) ?? [];
    const moves = own.map(({ collective, axes }) => [collective, ...axes].join(" "));
    const again = own[0]?.phase === "recompute" ? ", recomputed" : "";
    const name = said?.tensor(tensor) ?? names.get(tensor) ?? tensor;
    const line = {
      redistribution: index,
      text: `${at + 1} ${moves.join(", ")} of ${name}${again}, ${formatBytes(bytes)}${runText(runs.get(index))}${microbatchText(often.get(index))}`,
    };
    const block = blockOf(tensor);
    const heading = `${headingOf(own[0]?.phase)}${block === undefined ? "" : `, ${block}`}`;
    const last = groups.at(-1);
    if (last?.heading === heading) last.lines.push(line);
    else groups.push({ heading, lines: [line] });
  }
  return groups;
}

/** The number of an equal block, and the count of equal blocks. */
export interface BlockRun {
  /** Number of the run, from 1, in program order. */
  readonly run: number;
  readonly count: number;
}

/** The redistributions inside consecutive equal blocks, with the run each belongs to. @internal */
export function blockRuns(
  program: SpmdProgram,
  stepRuns: readonly StepRuns[] = stepRunsOf(program),
): ReadonlyMap<number, BlockRun> {
  const flat = allSteps(program);
  return new Map(
    stepRuns.flatMap(({ start, period, count }) =>
      flat
        .slice(start, start + count * period)
        .flatMap((step, at) =>
          step.kind === "collective"
            ? [[step.reshard, { run: 1 + Math.floor(at / period), count }] as const]
            : [],
        ),
    ),
  );
}

function runText(block: BlockRun | undefined): string {
  if (block === undefined) return "";
  return block.run === 1 ? `, ${block.count} times` : `, ${block.run} of ${block.count}`;
}

function microbatchText(count = 1): string {
  return count === 1 ? "" : `, in each of ${count} micro-batches`;
}

/** The training phase of a redistribution; forward if it has no collective. */
export function phaseOf(program: SpmdProgram, redistribution: number): Phase {
  return collectivesOf(program, redistribution)[0]?.step.phase ?? "forward";
}

/** The redistributions of the program as written, without those that training adds. */
export function writtenRedistributions(compiled: Compiled): readonly Redistribution[] {
  const { graph, program } = compiled;
  const written = new Set(graph.tensors.map(({ id }) => id));
  for (const { phase = "forward", outputs } of program.graph.operators)
    if (phase === "forward") for (const { tensor } of outputs) written.add(tensor);
  const steps = stepsByRedistribution(program);
  return program.redistributions.filter(({ index, tensor, reasons }) => {
    const phase = steps.get(index)?.[0]?.phase ?? "forward";
    const isEnd = reasons.some(({ kind }) => kind === "output");
    return written.has(tensor) && (phase === "forward" || isEnd);
  });
}

/** A collective with its index among all steps of the program, from 0. */
export interface PlacedCollective {
  readonly step: number;
  readonly collective: Collective;
  readonly redistribution: number;
}

/** The collective at a step of a redistribution, counted like `Frame.step`. */
export function collectiveAt(
  program: SpmdProgram,
  redistribution: number,
  at: number,
): PlacedCollective | undefined {
  const shown = stepsByRedistribution(program).get(redistribution)?.[at];
  const found = collectivesOf(program, redistribution).find(({ step }) => step === shown);
  return found && { step: found.at, collective: found.step.collective, redistribution };
}

function collectivesOf(
  program: SpmdProgram,
  redistribution: number,
): readonly { readonly step: CollectiveStep; readonly at: number }[] {
  return program.stages
    .flatMap(({ steps }) => steps)
    .flatMap((step, at) =>
      step.kind === "collective" && step.reshard === redistribution ? [{ step, at }] : [],
    );
}

/**
 * The outermost list block of each tensor, `blocks[3]`: by the operator that produces it, or by a
 * parameter's name. `undefined` outside such blocks.
 */
function blocksOfTensors({ operators, tensors }: Graph): (tensor: TensorId) => string | undefined {
  const modules = new Map<OperatorId, string | undefined>();
  for (const { id, of, module } of operators)
    modules.set(id, module ?? (of === undefined ? undefined : modules.get(of)));
  const known = new Map(tensors.map((tensor) => [tensor.id, tensor]));
  return (id) => {
    const tensor = known.get(id);
    const path = tensor?.producer === undefined ? tensor?.name : modules.get(tensor.producer);
    return /^[^[\]]+\[\d+\](?=\.|$)/.exec(path ?? "")?.[0];
  };
}

function headingOf(phase: Phase | undefined): "Forward" | "Backward" | "Update" {
  switch (phase) {
    case "recompute":
    case "backward":
      return "Backward";
    case "update":
      return "Update";
    default:
      return "Forward";
  }
}
