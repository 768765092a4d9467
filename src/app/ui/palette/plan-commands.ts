import { everyExample } from "#app/examples";
import { redistributionList } from "#app/scene/text";
import {
  type Actions,
  type AppState,
  isWrittenTensor,
  selectedTensor,
  shown,
  tensorView,
} from "#app/state";
import { type Compiled, stateName } from "#compile";
import { modulePathParts, type Operator, type OperatorId, type Tensor } from "#core/ir";
import words from "../glossary/glossary.json" with { type: "json" };
import { openWays, waysOperator } from "../planner/ways-operator.ts";
import type { Command } from "./command.ts";

/**
 * Commands that go to places of the plan, change the inspected tensor, or open examples and
 * glossary terms.
 */
export function planCommands(state: AppState, actions: Actions): readonly Command[] {
  const compiled = shown(state);
  const places = compiled === undefined ? [] : placesOf(state, compiled);
  return [
    ...places,
    ...everyExample.map(({ name, title }) => ({
      id: `example ${name}`,
      title,
      group: "example",
      run: () => actions.openExample(name),
    })),
    ...Object.keys(words).map((word) => ({
      id: `word ${word}`,
      title: `What “${word}” means`,
      group: "word",
      run: () => state.openWord(word),
    })),
  ];
}

function placesOf(state: AppState, compiled: Compiled): readonly Command[] {
  const { graph, program, mesh } = compiled;
  return [
    ...splits(state, compiled),
    ...pins(state, compiled),
    ...ways(state, compiled),
    ...states(state, compiled),
    ...mesh.mesh.axes.map(({ name, size }) => ({
      id: `axis ${name}`,
      title: `${name}, ${size} devices: take it, then choose a dim`,
      group: "axis",
      run: () => state.armAxis(name),
    })),
    ...redistributionList(program)
      .flatMap(({ lines }) => lines)
      .map(({ redistribution, text }) => ({
        id: `redistribution ${redistribution}`,
        title: text,
        group: "redistribution",
        run: () => state.seek(redistributionAt(compiled, redistribution)),
      })),
    ...modulesOf(graph.operators).map(([path, operator]) => ({
      id: `module ${path}`,
      title: path,
      group: "module",
      run: () => state.seek({ operator }),
    })),
    ...graph.tensors.map(({ id, name }) => ({
      id: `tensor ${id}`,
      title: name,
      group: "tensor",
      run: () => state.seek({ tensor: id }),
    })),
    ...graph.operators.map(({ id, name, call, outputs }) => ({
      id: `operator ${id}`,
      title: `${name} = ${call}`,
      group: "operator",
      run: () => {
        const made = outputs[0]?.tensor;
        state.seek({ operator: id, ...(made !== undefined && { tensor: made }) });
      },
    })),
  ];
}

/** Module paths of the text, each with its first operator. */
function modulesOf(operators: readonly Operator[]): readonly (readonly [string, OperatorId])[] {
  const first = new Map<string, OperatorId>();
  for (const { id, module } of operators) {
    let path = "";
    for (const part of module === undefined ? [] : modulePathParts(module)) {
      path = path === "" ? part : `${path}.${part}`;
      if (!first.has(path)) first.set(path, id);
    }
  }
  return [...first];
}

function redistributionAt({ program }: Compiled, index: number) {
  const tensor = program.redistributions.find((each) => each.index === index)?.tensor;
  return { redistribution: index, ...(tensor !== undefined && { tensor }) };
}

/** Commands that put each axis on each dim of the inspected tensor. */
function splits(state: AppState, compiled: Compiled): readonly Command[] {
  const tensor = selectedTensor(state);
  if (tensor === undefined) return [];
  const axes = compiled.mesh.mesh.axes.filter(({ size }) => size > 1);
  return tensor.shape.flatMap((_, dim) => [
    ...axes.map(({ name }) => ({
      id: `split ${tensor.id} ${dim} ${name}`,
      title: `Split ${dimOf(tensor, dim)} over ${name}`,
      group: "change",
      run: () => void state.gesture({ kind: "split", tensor: tensor.id, dim, axis: name }),
    })),
    {
      id: `whole ${tensor.id} ${dim}`,
      title: `Make ${dimOf(tensor, dim)} whole`,
      group: "change",
      run: () => void state.gesture({ kind: "whole", tensor: tensor.id, dim }),
    },
  ]);
}

/** Commands that pin the inspected tensor, an axis or the mesh for the planner. */
function pins(state: AppState, compiled: Compiled): readonly Command[] {
  const tensor = selectedTensor(state);
  const { mesh, pinned = [], pinnedAxes = [] } = compiled;
  const axes = mesh.mesh.axes.map(({ name }) => name);
  const command = (name: string, words: string, isPinned: boolean): Command => ({
    id: `pin ${name}`,
    title: isPinned ? `Unpin ${words}` : `Pin ${words}: the planner leaves it as it is`,
    group: "change",
    run: () => void state.gesture({ kind: "pin", name, isPinned: !isPinned }),
  });
  const isOwn = tensor !== undefined && isWrittenTensor(compiled, tensor.id);
  return [
    ...(isOwn ? [command(tensor.name, tensor.name, pinned.includes(tensor.id))] : []),
    ...axes.map((name) => command(name, `axis ${name}`, pinnedAxes.includes(name))),
    command("mesh", "the mesh", axes.length > 0 && pinnedAxes.length === axes.length),
  ];
}

/** Command that lists other ways to split the operator in view. */
function ways(state: AppState, compiled: Compiled): readonly Command[] {
  const operator = waysOperator(state);
  if (operator === undefined || compiled.graph.operators.length === 0) return [];
  return [
    {
      id: "ways",
      title: `Other ways to split ${operator}, each with its best plan`,
      group: "command",
      run: () => openWays(state, operator),
    },
  ];
}

/** Commands that show each state of the inspected tensor, if it has several. */
function states(state: AppState, compiled: Compiled): readonly Command[] {
  const tensor = selectedTensor(state);
  const view = tensor && tensorView(compiled, tensor.id);
  if (tensor === undefined || view?.reads === undefined) return [];
  return [undefined, ...view.reads].map((read) => ({
    id: `state ${tensor.id} ${stateName(view, read)}`,
    title: `Show ${tensor.name} ${stateName(view, read)}`,
    group: "tensor",
    run: () => state.showAs(tensor.id, read),
  }));
}

function dimOf(tensor: Tensor, dim: number): string {
  return `${tensor.name}.${tensor.dimNames[dim] ?? dim}`;
}
