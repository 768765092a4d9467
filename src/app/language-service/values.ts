import type { Operator, Tensor } from "#core/ir";
import { callAround, type NameUse, openBracketsAt } from "#language/tokens";
import { baseName, type Facts, operatorsFrom } from "./facts.ts";

/** The tensors that a use of a variable refers to, in program order; empty for other values. */
export function tensorsOf(facts: Facts, use: NameUse): readonly Tensor[] {
  const passed = passedTensors(facts, use);
  if (passed.length > 0) return passed;
  const binding = bindingOf(facts, use);
  const bound = binding === undefined ? [] : boundTensors(facts, binding);
  if (bound.length > 0) return bound;
  const siblings = facts.names.filter((other) => isSameVariable(other, use));
  const elsewhere = siblings.map((other) => passedTensors(facts, other));
  const found = elsewhere.find((tensors) => tensors.length > 0) ?? parameterTensors(facts, use);
  return found.length > 0 ? found : heldTensors(facts, use);
}

export function isSameVariable(a: NameUse, b: NameUse): boolean {
  return a.name === b.name && a.scope === b.scope;
}

/** The use that bound the value which a variable has at another use. */
export function bindingOf({ names }: Facts, use: NameUse): NameUse | undefined {
  if (use.isBinding) return use;
  const bindings = names.filter((other) => other.isBinding && isSameVariable(other, use));
  const isBefore = ({ from, statement }: NameUse) =>
    statement.to <= use.from || (from < use.from && statement.to > use.statement.to);
  return bindings.findLast(isBefore) ?? bindings[0];
}

/** The tensors that operators read at a name that is a direct argument of their calls. */
function passedTensors(facts: Facts, use: NameUse): readonly Tensor[] {
  const open = openBracketsAt(facts.source, facts.tokens, use.from);
  const around = callAround(open);
  if (around === undefined || around.path.length !== 1) return [];
  const { call, path } = around;
  const isWhole = facts.source.slice(call.itemFrom, use.from).trim() === "";
  if (!isWhole || !/^\s*[,)]/.test(facts.source.slice(use.to, use.to + 40))) return [];
  return operandsAt(facts, operatorsFrom(facts, call.calleeFrom), path[0] ?? 0);
}

/** The tensors that operators read as the argument at an index. */
function operandsAt(
  { document }: Facts,
  operators: readonly Operator[],
  argument: number,
): readonly Tensor[] {
  const wanted = new Set(operators);
  const tensors = [...document.built.operatorOf].flatMap(([traced, operator]) => {
    if (!wanted.has(operator) || traced.inputs[argument]?.kind !== "tensor") return [];
    const before = traced.inputs.slice(0, argument).filter(({ kind }) => kind === "tensor").length;
    const operand = operator.inputs[before];
    return document.graph.tensors.filter(({ id }) => id === operand?.tensor);
  });
  return [...new Set(tensors)];
}

/**
 * The tensors made by the statement of a binding: those of its name, else the statement's results.
 */
function boundTensors({ source, compiled }: Facts, binding: NameUse): readonly Tensor[] {
  const { name, statement } = binding;
  if (/^(async\s+def|def|class|lambda)\b/.test(source.slice(statement.from))) return [];
  const made = compiled.graph.tensors.filter(
    ({ span }) => span !== undefined && statement.from <= span.from && span.to <= statement.to,
  );
  const named = made.filter((tensor) => baseName(tensor.name) === name);
  return named.length > 0 ? named : made.filter(({ span }) => span?.to === statement.to);
}

/** The tensors passed as a parameter of a registered function. */
function parameterTensors(facts: Facts, use: NameUse): readonly Tensor[] {
  const binding = facts.names.find((other) => other.isBinding && isSameVariable(other, use));
  if (binding === undefined) return [];
  const open = openBracketsAt(facts.source, facts.tokens, binding.from).at(-1);
  if (open?.callee === undefined) return [];
  const operators = facts.compiled.graph.operators.filter(({ op }) => op === open.callee);
  return operandsAt(facts, operators, open.index);
}

/** The tensors that a module-level variable holds at the end. */
function heldTensors({ document, compiled }: Facts, use: NameUse): readonly Tensor[] {
  const held = use.scope === 0 ? document.variables.get(use.name) : undefined;
  const name = [...document.built.tracedBy].find(([, traced]) => traced === held)?.[0];
  return held === undefined ? [] : compiled.graph.tensors.filter((tensor) => tensor.name === name);
}

/** The variable at an offset of the text. */
export function nameUseAt({ names }: Facts, offset: number): NameUse | undefined {
  return (
    names.find(({ from, to }) => from <= offset && offset < to) ??
    names.find(({ to }) => to === offset)
  );
}
