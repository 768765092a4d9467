import type { Compiled } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { flatSteps } from "#core/program";
import { fieldOf } from "#core/records";
import { graphFormats, loadTargets } from "#systems";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { openRequest } from "./compile-request.ts";
import { exportGraphFiles } from "./export-graph.ts";
import { exportModule } from "./export-module.ts";
import { exportSvg } from "./export-svg.ts";
import type { Exported, Exporter } from "./exported.ts";
import { Listing } from "./listed.ts";

const targetsOfCode = await loadTargets();

/** Every export target by name. */
function exporters(): Readonly<Record<string, Exporter>> {
  const code = [...targetsOfCode].map(([name, target]): [string, Exporter] => [
    name,
    (compiled, { nearest }, document) =>
      exportModule(compiled, target, nearest === true ? document : undefined),
  ]);
  const written = graphFormats.filter(({ write }) => write !== undefined);
  const graphs = written.map((format): [string, Exporter] => [
    format.words.target,
    (compiled, args) => exportGraphFiles(compiled, args, format),
  ]);
  return { ...Object.fromEntries([...graphs, ["svg", exportSvg], ...code]) };
}

/**
 * `export`: the plan in another form (`files`), with results that a run of the files must confirm
 * (`claims`): the slices of every tensor and the count of each collective.
 */
export function exportAnswer(args: Arguments): Answer {
  const { to } = args;
  const targets = exporters();
  const exporter =
    typeof to === "string" && Object.hasOwn(targets, to) ? fieldOf(targets, to) : undefined;
  if (exporter === undefined) {
    const names = Object.keys(targets).map((name) => JSON.stringify(name));
    return badRequest(`"to" must be ${names.join(" or ")}`);
  }
  // `dialect` is the form of the export; the program itself is read in its own dialect.
  const { dialect: _, ...asked } = args;
  const opened = openRequest(asked);
  if (!opened.ok) return { ok: false, diagnostics: opened.diagnostics };
  const { compiled, document } = opened.value;
  const { diagnostics } = compiled;
  if (hasErrors(diagnostics)) return { ok: false, diagnostics };
  const exported = exporter(compiled, args, document);
  if (typeof exported === "string") return badRequest(exported);
  if ("refusal" in exported) {
    const { refusal, warnings } = exported;
    return { ok: false, diagnostics: [...diagnostics, ...warnings, refusal] };
  }
  const written: Exported = "files" in exported ? exported : { files: exported, diagnostics: [] };
  const { files, diagnostics: more, program } = written;
  const listing = new Listing();
  const claims = written.claims ?? claimsOf(compiled, listing);
  const all = [...diagnostics, ...more, ...listing.diagnostics()];
  return { ok: true, files, claims, ...(program !== undefined && { program }), diagnostics: all };
}

function claimsOf(
  { program, tensors }: Compiled,
  listing: Listing,
): Readonly<Record<string, unknown>> {
  const all = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const slices = tensors.flatMap((view) => {
    const tensor = all.get(view.tensor);
    if (tensor === undefined) return [];
    const { slices } = listing.slicesOf(view, tensor.shape, tensor.start);
    return slices === undefined ? [] : [[tensor.name, slices] as const];
  });
  const collectives: Record<string, number> = {};
  for (const step of flatSteps(program)) {
    if (step.kind !== "collective" || step.collective === "slice") continue;
    collectives[step.collective] = (collectives[step.collective] ?? 0) + 1;
  }
  return { slices: Object.fromEntries(slices), collectives };
}
