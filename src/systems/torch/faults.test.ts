import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asked } from "../../cli/asked.testing.ts";

/** A small program that was once read wrongly, and what must hold. */
interface Fault {
  readonly name: string;
  readonly program: string;
  /** What must hold, in words. */
  readonly expect: string;
  /** What PyTorch has: the shape or the data type of a tensor, or the parameters of a module. */
  readonly truth: Readonly<Record<string, readonly number[] | string | undefined>>;
  /** How tensors must lie. */
  readonly layouts?: Readonly<Record<string, string | undefined>>;
  /** Collectives that may not be there, of any tensor, or of some. */
  readonly unsent?: readonly string[];
  readonly ungathered?: readonly string[];
  /** Operators that the planner must be able to split over an axis. */
  readonly planned?: Readonly<Record<string, string | undefined>>;
}

const faults: readonly Fault[] = JSON.parse(readFileSync("src/systems/torch/faults.json", "utf8"));

/** Those that are not mended yet; one that is has to leave this list. */
const pending: ReadonlySet<string> = new Set([]);

const those = (isPending: boolean) =>
  faults.flatMap((fault) => (pending.has(fault.name) === isPending ? [{ fault }] : []));

test.each(those(false))("$fault.name: $fault.expect", ({ fault }) => {
  expect(wrongIn(fault)).toEqual([]);
});

test.each(those(true))("$fault.name is not mended yet", ({ fault }) => {
  expect(wrongIn(fault)).not.toEqual([]);
});

/** The part of a plan that is held against a fault. */
interface Answer {
  readonly ok: boolean;
  readonly tensors: readonly {
    readonly name: string;
    readonly shape: readonly number[] | null;
    readonly dtype: string;
    readonly layout: string | null;
  }[];
  readonly steps: readonly { readonly collective: string; readonly tensor?: string }[];
  readonly modules: Readonly<Record<string, { readonly parameters: number | null } | undefined>>;
  readonly diagnostics: readonly { readonly severity: string; readonly message: string }[];
}

function wrongIn(fault: Fault): readonly string[] {
  const { program } = fault;
  const answer = asked<Answer>("plan", { program });
  const errors = answer.diagnostics.filter(({ severity }) => severity === "error");
  return [
    ...errors.map(({ message }) => message),
    ...untrue(answer, fault),
    ...wronglySplit(answer, fault),
    ...unplanned(fault),
  ];
}

function untrue({ tensors, modules }: Answer, { truth }: Fault): readonly string[] {
  return Object.entries(truth).flatMap(([name, want]) => {
    const tensor = tensors.find((each) => each.name === name);
    const isModule = name.startsWith("params:");
    const counted = isModule ? [modules[name.slice("params:".length)]?.parameters] : tensor?.shape;
    const have = typeof want === "string" ? tensor?.dtype : counted;
    const isSame = JSON.stringify(have) === JSON.stringify(want);
    return isSame ? [] : [`${name} is ${JSON.stringify(have)}, not ${JSON.stringify(want)}`];
  });
}

function wronglySplit({ tensors, steps }: Answer, fault: Fault): readonly string[] {
  const { layouts = {}, unsent = [], ungathered = [] } = fault;
  const lying = Object.entries(layouts).flatMap(([name, want]) => {
    const have = tensors.find((each) => each.name === name)?.layout;
    return have === want ? [] : [`${name} lies ${String(have)}, not ${String(want)}`];
  });
  const sent = steps.filter(
    ({ collective, tensor = "" }) =>
      unsent.includes(collective) || (collective === "all-gather" && ungathered.includes(tensor)),
  );
  return [...lying, ...sent.map(({ collective, tensor }) => `${collective} of ${tensor ?? ""}`)];
}

function unplanned({ program, planned = {} }: Fault): readonly string[] {
  const wanted = Object.entries(planned);
  if (wanted.length === 0) return [];
  const answer = asked<{
    readonly strategies?: Readonly<Record<string, object | undefined>>;
  }>("optimize", { program });
  return wanted.flatMap(([operator, axis]) => {
    const axes = Object.values(answer.strategies?.[operator] ?? {}).flat();
    return axes.includes(axis) ? [] : [`${operator} is not split over ${String(axis)}`];
  });
}
