import type { Optimizer, OptimizerNumbers } from "#core/training";
import type { Argument, Context } from "#language/python";
import { itemsOf, numberOf } from "./values/values.ts";

/** Number arguments of optimizers. */
export const numberWords = ["lr", "betas", "eps", "weight_decay", "momentum"] as const;

type Word = (typeof numberWords)[number];

const plain: readonly Word[] = ["lr", "weight_decay"];
const ofAdam: readonly Word[] = [...plain, "betas", "eps"];

/** Arguments that each optimizer takes. */
const taken: Readonly<Record<Optimizer, readonly Word[]>> = {
  sgd: [...plain, "momentum"],
  momentum: [...plain, "momentum"],
  adam: ofAdam,
  adamw: ofAdam,
};

/** Optimizer and its numbers in a call of `train`; numbers that are not given are absent. */
export function optimizerNumbers(
  bound: ReadonlyMap<string, Argument>,
  named: Optimizer,
  context: Context,
): { readonly optimizer: Optimizer; readonly numbers: OptimizerNumbers } {
  for (const word of numberWords) {
    const argument = bound.get(word);
    if (argument === undefined || taken[named].includes(word)) continue;
    const message = `"${named}" has no "${word}": it takes ${taken[named].join(", ")}`;
    context.raise("TypeError", message, argument.nameSpan ?? argument.span);
  }
  const number = (word: Word) => numberIn(bound.get(word), word, context);
  const momentum = number("momentum");
  const [beta1 = momentum, beta2] = betasIn(bound.get("betas"), context);
  const said = {
    ...{ lr: number("lr"), beta1, beta2 },
    ...{ eps: number("eps"), weight_decay: number("weight_decay") },
  };
  const numbers = Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== undefined),
  );
  // SGD with a nonzero momentum keeps a running mean per parameter, so it is a different optimizer.
  const isMomentum = named === "sgd" && (momentum ?? 0) !== 0;
  return { optimizer: isMomentum ? "momentum" : named, numbers };
}

function numberIn(
  argument: Argument | undefined,
  word: Word,
  context: Context,
): number | undefined {
  if (argument === undefined) return undefined;
  const value = numberOf(argument.value);
  const most = word === "momentum" ? 1 : Number.POSITIVE_INFINITY;
  if (value !== undefined && value >= 0 && value < most) return value;
  const range = most === 1 ? "from 0 to below 1" : "0 or more";
  return context.raise("ValueError", `"${word}" is a number, ${range}`, argument.span);
}

function betasIn(argument: Argument | undefined, context: Context): readonly number[] {
  if (argument === undefined) return [];
  const values = (itemsOf(argument.value) ?? []).map(numberOf);
  const betas = values.filter((value) => value !== undefined && value >= 0 && value < 1);
  if (values.length === 2 && betas.length === 2) return betas.filter((beta) => beta !== undefined);
  const message = '"betas" are two numbers, each from 0 to below 1';
  return context.raise("ValueError", message, argument.span);
}
