import type { Tensor } from "#core/ir";
import { callAround, insideOf, type TextPlace } from "#language/tokens";
import { counted } from "#systems/system";
import type { Facts } from "./facts.ts";
import { tensorNamed } from "./facts.ts";
import type { Hover } from "./hover.ts";
import { matchingNames, strategyTargets } from "./targets.ts";
import { nameUseAt, tensorsOf } from "./values.ts";
import { listed, tensorLines, typeText } from "./words.ts";

/** The hover on a variable that holds a tensor: type, layout, and a plain sentence. */
export function valueHover(facts: Facts, { offset }: TextPlace): Hover | undefined {
  const use = nameUseAt(facts, offset);
  if (use === undefined) return undefined;
  const tensors = tensorsOf(facts, use);
  const words = tensorWords(facts, tensors);
  return words && { span: { from: use.from, to: use.to }, ...words };
}

/** The hover on a tensor's name as the keyword of `shapes(x=(8, 4))`. */
export function shapesKeyHover(facts: Facts, { token, text, open }: TextPlace): Hover | undefined {
  if (token?.kind !== "parameter" || callAround(open)?.word !== "shapes") return undefined;
  const tensor = tensorNamed(facts, text);
  const words = tensor && tensorWords(facts, [tensor]);
  return words && { span: token, ...words };
}

/** The hover on a target string of `strategy`, `place` or `reshard`: the tensors that it names. */
export function targetHover(facts: Facts, { token, open }: TextPlace): Hover | undefined {
  const around = callAround(open);
  if (token?.kind !== "string" || around?.path.length !== 1 || around.path[0] !== 0)
    return undefined;
  if (!/^(strategy|place|reshard)$/.test(around.word)) return undefined;
  const { span, text } = insideOf(facts.source, token);
  const { tensors, paths } = named(facts, text, around.word);
  if (!text.includes("*")) {
    const words = tensorWords(facts, tensors);
    return words && { span, ...words };
  }
  const [kind, names] =
    paths === undefined ? ["tensor", tensors.map(({ name }) => name)] : ["operator", paths];
  return {
    span,
    title: text,
    lines: [`Names ${counted(names.length, kind)}: ${listed(names, 6)}.`],
  };
}

interface Named {
  readonly tensors: readonly Tensor[];
  /** If modules are named, the paths of the operators that make the tensors. */
  readonly paths?: readonly string[];
}

/** The tensors and operators that a target string names. */
function named(facts: Facts, text: string, word: string): Named {
  const byName = matchingNames(facts, text).flatMap((name) => tensorNamed(facts, name) ?? []);
  if (word !== "strategy") return { tensors: byName };
  const targets = strategyTargets(facts);
  const { operators } = targets.meant(text);
  const made = new Set(operators.flatMap(({ outputs }) => outputs.map(({ tensor }) => tensor)));
  const tensors = facts.compiled.graph.tensors.filter(({ id }) => made.has(id));
  const isByName = byName.some(({ id }) => made.has(id));
  return isByName ? { tensors } : { tensors, paths: operators.map(targets.targetOf) };
}

function tensorWords(
  { compiled }: Facts,
  tensors: readonly Tensor[],
): Pick<Hover, "title" | "lines"> | undefined {
  const [first] = tensors;
  if (first === undefined) return undefined;
  const producer = compiled.graph.operators.find(({ id }) => id === first.producer);
  const more = tensors.length - 1;
  return {
    title: `${first.name}: ${typeText(first)}`,
    lines: [
      ...(producer === undefined ? [roleText(first)] : [`Made by ${producer.call}.`]),
      ...tensorLines(compiled, first),
      ...(more > 0 ? [`And ${listed(tensors.slice(1).map(({ name }) => name))}.`] : []),
    ],
  };
}

function roleText({ role }: Tensor): string {
  return role === "parameter" ? "A parameter." : "An input.";
}
