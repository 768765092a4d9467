import type { Definition } from "#core/ir/body";
import { pinnedLoop } from "#execute/engine";
import { type Compute, compile, type Program } from "./compile-expression.ts";

/** A loop over a half-open range of one register. */
export interface Counter {
  readonly register: number;
  readonly start: number;
  readonly stop: number;
}

/** The range of an axis or loop on this device. */
export type CounterOf = (loop: Definition["over"][number]) => Counter;

/** Compiles a definition: its value, combined over its loops. */
export function compileDefinition(
  definition: Definition,
  program: Program,
  counterOf: CounterOf,
): Compute {
  const pinned = pinnedLoop(definition);
  const value = compile(pinned?.value ?? definition.value, program);
  const counters = definition.over
    .filter(({ axis }) => axis !== pinned?.axis)
    .map((loop) => counterOf(loop));
  const run =
    pinned === undefined
      ? value
      : pin(
          value,
          compile(pinned.at, program),
          counterOf(definition.over.find(({ axis }) => axis === pinned.axis) ?? pinned),
          program,
        );
  if (definition.over.length === 0) return run;
  return looped(run, definition.combine, counters, program);
}

function pin(
  value: Compute,
  at: Compute,
  { register, start, stop }: Counter,
  program: Program,
): Compute {
  const { registers } = program;
  return () => {
    const index = at();
    if (!(index >= start && index < stop)) return Number.isNaN(index) ? index : 0;
    registers[register] = index;
    return value();
  };
}

function looped(
  run: Compute,
  combine: Definition["combine"],
  counters: readonly Counter[],
  { registers, rules }: Program,
): Compute {
  const join = rules.joins[combine];
  const start = rules.starts[combine];
  const depthCount = counters.length;
  const visit = (depth: number, held: number): number => {
    if (depth === depthCount) return join(held, run());
    const counter = counters[depth];
    if (counter === undefined) return held;
    let result = held;
    for (let index = counter.start; index < counter.stop; index += 1) {
      registers[counter.register] = index;
      result = visit(depth + 1, result);
    }
    return result;
  };
  return () => visit(0, start);
}
