import type { OperatorId } from "#core/ir";
import {
  memoryParts,
  memoryRemedies,
  plannedCosts,
  planQuestion,
  remedyPatience,
  remedyText,
} from "#edit";
import type { Document } from "#language/document";
import { type Optimized, optimize } from "#planner";
import { type PlanWork, requestOf } from "./plan-of.ts";
import type { PlanShortage } from "./plan-protocol.ts";

/** Number of largest items that are listed. */
const namedItems = 3;

/**
 * Memory of the leanest plan, and single changes that make a plan fit. Each change is planned or
 * compiled before it is offered.
 */
export function shortageOf(
  work: PlanWork,
  { strategies, layouts, bytes: least }: Optimized,
): PlanShortage {
  const { document, memoryLimit: limit = Number.POSITIVE_INFINITY } = work;
  const leanest = { strategies, ...layouts };
  const start = performance.now();
  const { remedies, untried } = memoryRemedies({
    document,
    limit,
    least,
    leanest,
    pins: [...planQuestion(document, work).pins.keys()],
    isOwnModel: true,
    hasTime: () => performance.now() - start < remedyPatience,
    fitsIn: (other, released) => planned(work, other, limit, released)?.bytes,
  });
  const { largest, ...parts } = memoryParts(document, leanest);
  return {
    holds: holdsOf(parts),
    largest: largest.slice(0, namedItems),
    remedies: remedies.map((remedy) => ({ text: remedyText(remedy), bytes: remedy.bytes })),
    untried,
  };
}

function planned(
  { memory, freesPlaces }: PlanWork,
  document: Document,
  limit: number,
  released?: OperatorId,
): Optimized | undefined {
  const question = planQuestion(document, { freesPlaces });
  const pins = new Map([...question.pins].filter(([id]) => id !== released));
  const outcome = optimize(requestOf({ ...question, pins }, limit), {
    measure: ({ strategies, layouts }) => plannedCosts(document, { strategies, ...layouts }),
    memory,
    isAnyEnough: true,
  });
  return outcome.ok ? outcome.value : undefined;
}

type Parts = Omit<ReturnType<typeof memoryParts>, "largest">;

/** Bytes of a device by purpose, largest first. */
function holdsOf(parts: Parts): PlanShortage["holds"] {
  const { parameters, inputs, activations, gradients, optimizer } = parts;
  const rows = [
    { what: "parameters", bytes: parameters },
    { what: "inputs", bytes: inputs },
    { what: "activations", bytes: activations },
    { what: "gradients", bytes: gradients },
    { what: "optimizer states", bytes: optimizer },
  ];
  return rows.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
}
