// Checks that numbers of a call are in a range, or in order.

import { integerOf, itemsOf, numberOf } from "#language/document/bindings/values";
import type { Value } from "#language/python";
import type { Check } from "./call-fault.ts";

type Range = (number: number) => boolean;

/** The values of a parameter: one, or those of a row. */
export function valuesOf(value: Value | undefined): readonly (Value | undefined)[] {
  return itemsOf(value) ?? [value];
}

/** A number in a range. @param message `{}` stands for the number, `{name}` for what is called */
export function bounded(
  parameter: string,
  isTaken: Range,
  message: string,
  kind = "RuntimeError",
): Check {
  return ({ name, value }) => {
    const given = value(parameter);
    if (given?.kind === "str")
      return ["TypeError", `${name}(): argument '${parameter}' must be a number, not str`];
    const number = numberOf(given);
    if (number === undefined || isTaken(number)) return undefined;
    return [kind, message.replace("{}", String(number)).replace("{name}", name)];
  };
}

/** A whole number, or a row of them. */
export function whole(parameter: string, kind = "TypeError"): Check {
  return ({ name, value }) => {
    if (valuesOf(value(parameter)).every((each) => each?.kind !== "float")) return undefined;
    return [kind, `${name}(): argument '${parameter}' must be int, not float`];
  };
}

/** Whole numbers in a range, one of them or a row. */
export function counted(parameter: string, isTaken: Range, message: string): Check {
  const typed = whole(parameter);
  return (call) => {
    const numbers = valuesOf(call.value(parameter)).map(integerOf);
    const wrong = numbers.find((number) => number !== undefined && !isTaken(number));
    return wrong === undefined
      ? typed(call)
      : ["RuntimeError", message.replace("{}", String(wrong))];
  };
}

/** Two numbers in order. */
export function ordered(
  [low, least]: readonly [parameter: string, usual: number],
  [high, most]: readonly [parameter: string, usual: number],
  message: string,
  kind = "RuntimeError",
): Check {
  return ({ value }) => {
    const of = (parameter: string, usual: number) =>
      value(parameter) === undefined ? usual : numberOf(value(parameter));
    const [from, to] = [of(low, least), of(high, most)];
    return from === undefined || to === undefined || from <= to ? undefined : [kind, message];
  };
}

export const positive: Range = (number) => number > 0;
export const notNegative: Range = (number) => number >= 0;
export const share: Range = (number) => number >= 0 && number <= 1;
