import { type Diagnostic, mergeRepeatedDiagnostics } from "#core/diagnostics";
import {
  type MemoryParts,
  memoryParts,
  memoryRemedies,
  plannedCosts,
  type Remedy,
  remedyPatience,
  remedyText,
} from "#edit";
import type { Document } from "#language/document";
import {
  conflictOf,
  demandText,
  type Optimized,
  type OptimizeOptions,
  type OptimizeOutcome,
  optimize,
  type PlannerMemory,
  type PlanRequest,
} from "#planner";
import type { Answer, Arguments } from "./answer.ts";
import { planRequestOf } from "./plan-request.ts";
import { readPlatform } from "./platform-request.ts";

type Refused = Extract<OptimizeOutcome, { ok: false }>;

/** The measure of a plan by the program's own costs; absent when another cost model is named. */
function measureOf(document: Document, { model }: PlanRequest): Pick<OptimizeOptions, "measure"> {
  if (model !== undefined) return {};
  const measure = ({ strategies, layouts }: Optimized) =>
    plannedCosts(document, { strategies, ...layouts });
  return { measure };
}

/**
 * The answer when no plan exists: the constraints that exclude each other, or the missing memory
 * with edits that would free it.
 */
export function refusedAnswer(
  document: Document,
  request: PlanRequest,
  { diagnostic, leanest }: Refused,
  args: Arguments,
  memory: PlannerMemory,
): Answer {
  const conflict = diagnostic.code === "planner/no-plan" ? conflictIn(request, memory) : undefined;
  const shortage =
    leanest === undefined ? undefined : shortageIn(document, request, leanest, { args, memory });
  return {
    ok: false,
    code: diagnostic.code,
    ...(leanest !== undefined && { minimum: leanest.bytes }),
    ...(conflict !== undefined && { conflict: conflict.demands }),
    ...(shortage !== undefined && { shortage }),
    diagnostics: mergeRepeatedDiagnostics([
      ...document.diagnostics,
      conflict?.diagnostic ?? diagnostic,
    ]),
  };
}

function conflictIn(request: PlanRequest, memory: PlannerMemory) {
  const { memoryLimit: _, ...free } = request;
  const { demands, isMinimal } = conflictOf(free, (each) => !optimize(each, { memory }).ok);
  const names = demands.map(demandText);
  const some = isMinimal ? "" : ", or some of these";
  const message =
    names.length === 0
      ? "the program has no plan on this mesh, whatever is asked of it"
      : `no plan meets these together${some}: ${names.join(", ")}`;
  const diagnostic: Diagnostic = { code: "planner/no-plan", severity: "error", message };
  return { demands, diagnostic };
}

/**
 * Missing memory of a device, its contents under the leanest plan, and single changes that would
 * suffice.
 */
interface Shortage {
  readonly remedies: readonly (Remedy & { readonly text: string })[];
  readonly untried: readonly string[];
  readonly limit: number;
  readonly missing: number;
  readonly leanest: MemoryParts;
}

function shortageIn(
  document: Document,
  request: PlanRequest,
  { strategies, layouts, bytes: least }: Optimized,
  { args, memory }: { readonly args: Arguments; readonly memory: PlannerMemory },
): Shortage {
  const { memoryLimit: limit = Number.POSITIVE_INFINITY, model } = request;
  const leanest = { strategies, ...layouts };
  const platform = args.hardware === undefined ? undefined : readPlatform(args.hardware);
  const start = performance.now();
  const { remedies, untried } = memoryRemedies({
    document,
    limit,
    least,
    leanest,
    pins: [...request.pins.keys()],
    isOwnModel: model === undefined,
    hasTime: () => performance.now() - start < remedyPatience,
    ...(platform?.ok === true && { platform: platform.value }),
    fitsIn: (other, released) => {
      const asked = planRequestOf(other, { ...args, memoryLimit: limit });
      if (!asked.ok) return undefined;
      const pins = new Map([...asked.value.pins].filter(([id]) => id !== released));
      const again = { ...asked.value, pins };
      const found = optimize(again, { memory, isAnyEnough: true, ...measureOf(other, again) });
      return found.ok ? found.value.bytes : undefined;
    },
  });
  const parts =
    model === undefined
      ? memoryParts(document, leanest)
      : memoryParts(
          document,
          { ...leanest, ends: new Map() },
          { model: model.name, outputs: endsIn(args) },
        );
  const said = remedies.map((remedy) => ({ ...remedy, text: remedyText(remedy) }));
  return { limit, missing: least - limit, leanest: parts, remedies: said, untried };
}

function endsIn({ outputs }: Arguments): Readonly<Record<string, string>> {
  const given = typeof outputs === "object" && outputs !== null ? Object.entries(outputs) : [];
  return Object.fromEntries(given.map(([name, layout]) => [name, String(layout)]));
}
