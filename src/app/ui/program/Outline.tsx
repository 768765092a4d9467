import { type KeyboardEvent, memo, useDeferredValue, useMemo } from "react";
import { type Compiled, drawn } from "#app/state";
import type { Operator, Phase, Tensor } from "#core/ir";
import { flatSteps, type Redistribution } from "#core/program";
import { useApp } from "../store-context.tsx";
import { operatorSentence, redistributionSentence, tensorSentence } from "../words.ts";

/** The plan as a tree of sentences: inputs and parameters, then operators with what they make. */
export function Outline({ isVisible }: { readonly isVisible: boolean }) {
  const compiled = useApp(drawn);
  const later = useDeferredValue(compiled);
  if (compiled === undefined) return null;
  return isVisible ? (
    <OutlineTree compiled={compiled} />
  ) : (
    <OutlineWords compiled={later ?? compiled} />
  );
}

interface Line {
  readonly key: string;
  readonly text: string;
  readonly select: { tensor?: Tensor["id"]; operator?: Operator["id"]; redistribution?: number };
}

interface Branch extends Line {
  readonly inside: readonly Line[];
}

function branchesOf(compiled: Compiled): readonly Branch[] {
  const { graph, program } = compiled;
  const lineOf = (tensor: Tensor): Line => ({
    key: `tensor ${tensor.id}`,
    text: tensorSentence(compiled, tensor),
    select: { tensor: tensor.id },
  });
  const given = graph.tensors
    .filter((tensor) => tensor.producer === undefined)
    .map((tensor) => ({ ...lineOf(tensor), inside: [] }));
  const made = graph.operators.map((operator): Branch => {
    const outputs = graph.tensors.filter((tensor) => tensor.producer === operator.id);
    const moved = program.redistributions.filter(({ tensor }) =>
      outputs.some(({ id }) => id === tensor),
    );
    return {
      key: `operator ${operator.id}`,
      text: operatorSentence(compiled, operator),
      select: { operator: operator.id, ...(outputs[0] && { tensor: outputs[0].id }) },
      inside: [...outputs.map(lineOf), ...moved.map(lineFor)],
    };
  });
  const lineFor = (redistribution: Redistribution): Line => ({
    key: `redistribution ${redistribution.index}`,
    text: redistributionSentence(compiled, redistribution),
    select: { redistribution: redistribution.index, tensor: redistribution.tensor },
  });
  const early = program.redistributions.filter(({ tensor }) =>
    given.some(({ select }) => select.tensor === tensor),
  );
  const before = early.map((redistribution) => ({ ...lineFor(redistribution), inside: [] }));
  return [...given, ...before, ...made, ...laterBranches(compiled, lineFor)];
}

const phaseTitles = {
  recompute: "What is computed again",
  backward: "The backward pass",
  update: "The update of the parameters",
} as const;

/** What moves in the phases of a training step that the text does not write out, in their order. */
function laterBranches(
  { graph, program }: Compiled,
  lineFor: (redistribution: Redistribution) => Line,
): readonly Branch[] {
  const written = new Set(graph.tensors.map(({ id }) => id));
  const phaseOf = phasesOf(program);
  const later = program.redistributions.filter(({ tensor }) => !written.has(tensor));
  return (["recompute", "backward", "update"] as const).flatMap((phase): Branch[] => {
    const inside = later.filter((each) => phaseOf(each) === phase).map(lineFor);
    if (inside.length === 0) return [];
    const moves = inside.length === 1 ? "1 redistribution" : `${inside.length} redistributions`;
    return [{ key: phase, text: `${phaseTitles[phase]}: ${moves}.`, select: {}, inside }];
  });
}

/** The phase of the first step of each redistribution. */
function phasesOf(program: Compiled["program"]): (redistribution: Redistribution) => Phase {
  const steps = flatSteps(program);
  const made = new Map(
    steps.flatMap((step) =>
      step.kind === "collective" ? [[step.reshard, step.phase] as const] : [],
    ),
  );
  return ({ index }) => made.get(index) ?? "backward";
}

function OutlineTree({ compiled }: { readonly compiled: Compiled }) {
  const branches = useMemo(() => branchesOf(compiled), [compiled]);
  const lines = branches.flatMap((branch) => [
    { line: branch, level: 1 },
    ...branch.inside.map((line) => ({ line, level: 2 })),
  ]);
  return (
    <div
      className="outline"
      role="tree"
      aria-label="Outline"
      data-testid="outline"
      onKeyDown={moveInTree}
    >
      {lines.map(({ line, level }, at) => (
        <TreeLine key={line.key} line={line} level={level} isFirst={at === 0} />
      ))}
    </div>
  );
}

interface TreeLineProps {
  readonly line: Line;
  readonly level: number;
  readonly isFirst: boolean;
}

function TreeLine({ line, level, isFirst }: TreeLineProps) {
  const isSelected = useApp((state) => isLineSelected(line, state.selection));
  const selectNow = useApp((state) => state.select);
  const select = () => selectNow(line.select);
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      tabIndex={isFirst ? 0 : -1}
      onClick={select}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        select();
      }}
    >
      <span className="line">{line.text}</span>
    </div>
  );
}

/** The same words for assistive technology while another tab is open. */
const OutlineWords = memo(function OutlineWords({ compiled }: { readonly compiled: Compiled }) {
  return (
    <ul className="vh" aria-label="The plan in words" data-testid="outline">
      {branchesOf(compiled).map((branch) => (
        <li key={branch.key}>
          {branch.text}
          {branch.inside.length > 0 && (
            <ul>
              {branch.inside.map((line) => (
                <li key={line.key}>{line.text}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
});

function isLineSelected(line: Line, selection: Line["select"]): boolean {
  if (line.select.redistribution !== undefined) {
    return (
      selection.redistribution === line.select.redistribution && selection.operator === undefined
    );
  }
  if (line.select.operator !== undefined) return selection.operator === line.select.operator;
  return selection.tensor === line.select.tensor && selection.operator === undefined;
}

function moveInTree(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const at = items.findIndex((item) => item === document.activeElement);
  if (step !== undefined) items[Math.min(Math.max(at + step, 0), items.length - 1)]?.focus();
  else if (event.key === "Home") items[0]?.focus();
  else if (event.key === "End") items.at(-1)?.focus();
  else return;
  event.preventDefault();
}
