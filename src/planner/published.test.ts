import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileDocument } from "#compile";
import type { Cost } from "#core/cost";
import { hasErrors } from "#core/diagnostics";
import type { Document } from "#language/document";
import { readDocument } from "#systems";
import { planRequestOf } from "../cli/commands/plan-request.ts";
import { readPlatform } from "../cli/commands/platform-request.ts";
import { passedValue } from "../core/mesh/layouts.testing.ts";
import { optimize } from "./optimize.ts";

type Arguments = Readonly<Record<string, unknown>>;

interface Case {
  readonly id: string;
  readonly request: { readonly command: string; readonly args: Arguments };
  readonly expected: { readonly objective?: number };
}

const { cases }: { readonly cases: readonly Case[] } = JSON.parse(
  readFileSync("conformance/planner.json", "utf8"),
);

const models = ["alpa", "alpa-prototype", "autoparallel", "nnscaler", "mindspore", "plain", "book"];

/**
 * Whether a plan uses half of a mesh axis, which models of single-axis steps do not price
 * (planner-plain.md §2).
 */
function usesSubAxes({ collectives }: Cost): boolean {
  return collectives.some(({ axes }) => axes.some((axis) => axis.includes(":(")));
}

function documentOf({ program, hardware }: Arguments): Document | undefined {
  if (typeof program !== "string") return undefined;
  const platform = hardware === undefined ? undefined : passedValue(readPlatform(hardware));
  return readDocument(program, platform);
}

/** The least seconds found by the planner; `undefined` if the model does not price the mesh. */
function leastSeconds(document: Document, args: Arguments): number | undefined {
  const request = planRequestOf(document, args);
  if (!request.ok) {
    expect(request.diagnostics[0]?.code).toBe("cost/unknown-model");
    return undefined;
  }
  const outcome = optimize(request.value);
  if (!outcome.ok) throw new Error(outcome.diagnostic.message);
  const { seconds, bound } = outcome.value;
  expect(bound).toBeLessThanOrEqual(seconds * (1 + 1e-9));
  return seconds;
}

/**
 * Cases that state a whole plan, in programs that the planner prices. Models of single-axis steps
 * plan one batch (planner-plain.md §9), so recorded steps in micro-batches are left out.
 */
const recorded = cases.flatMap(({ id, request: { command, args } }) => {
  const document = command === "plan" ? documentOf(args) : undefined;
  if (document === undefined || hasErrors(document.diagnostics)) return [];
  const isPriced = (document.training?.microbatches ?? 1) === 1;
  return isPriced && document.graph.operators.length > 0 ? [{ id, document, args }] : [];
});

test.each(models)("under %s no recorded plan is faster than the one that is found", (model) => {
  let compared = 0;
  for (const { id, document, args } of recorded) {
    const outputs = Object(args.outputs ?? {});
    const { cost, diagnostics } = compileDocument(document, { model, outputs });
    if (hasErrors(diagnostics) || usesSubAxes(cost)) continue;
    const least = leastSeconds(document, { model, outputs });
    if (least === undefined) continue;
    expect([id, least <= cost.seconds * (1 + 1e-9)]).toEqual([id, true]);
    compared += 1;
  }
  expect(compared).toBeGreaterThanOrEqual(23);
});

/** The arguments of a case that restrict the planner to the published search's own choices. */
const restrictions = ["pins", "forbid", "redundant"];

test("with all choices a search finds no more than the published optimum", () => {
  let compared = 0;
  for (const { id, request, expected } of cases) {
    const { command, args } = request;
    const { objective } = expected;
    const document = command === "optimize" ? documentOf(args) : undefined;
    if (document === undefined || objective === undefined) continue;
    const free = Object.fromEntries(
      Object.entries(args).filter(([name]) => !restrictions.includes(name)),
    );
    const least = leastSeconds(document, free) ?? Number.POSITIVE_INFINITY;
    expect([id, least <= objective * (1 + 1e-6)]).toEqual([id, true]);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(30);
});
