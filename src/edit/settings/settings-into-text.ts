import {
  applyEdits,
  type Checked,
  type Diagnostic,
  failed,
  hasErrors,
  passed,
} from "#core/diagnostics";
import { tensorsById, wildcardPath } from "#core/ir";
import { propagate } from "#core/plan";
import type { Document } from "#language/document";
import { linesEdit, planLinesAt } from "#language/document/edit";
import type { ParallelSettings } from "#systems/settings";
import { planIntoText } from "../plan-into-text.ts";
import { onAxes } from "../plan-mesh.ts";
import { meshOfSettings, type SettingsMesh } from "./mesh-of-settings.ts";
import { type CutBySettings, isBatch, settingsRequests } from "./settings-plan.ts";
import { trainWords, trainWordsOf } from "./train-words.ts";

/** A text rewritten to run by settings, with notes on settings that it lacks. */
export interface SettingsInText {
  readonly source: string;
  readonly axes: SettingsMesh["axes"];
  readonly notes: readonly Diagnostic[];
}

/**
 * Writes settings of a trainer or server into a program's text: its mesh, cuts of each layer's
 * weights, tensors sharded over the batch's devices, microbatches and recomputation. The text's
 * earlier strategies and layouts are removed.
 */
export function settingsIntoText(
  document: Document,
  settings: ParallelSettings,
): Checked<SettingsInText> {
  const present = document.mesh.mesh.devices.length;
  const wanted = meshOfSettings(settings, present);
  if (!wanted.ok) return wanted;
  const { axes, notes } = wanted.value;
  const placed = onAxes(document, axes);
  if (!placed.ok) return noFit(placed.reason);
  const sharing = axes.reduce(
    (count, { name, size }) => (wanted.value.batch.includes(name) ? count * size : count),
    1,
  );
  const odd = oddBatch(document, sharing);
  const batch = odd === undefined ? wanted.value.batch : [];
  const words = trainWordsOf(settings, sharing);
  const trained = withWords(placed.document, words);
  const cut = withCuts(trained, { ...wanted.value, batch, sequence: settings.sequence });
  if (!cut.ok) return cut;
  const untrained = document.trace.training.length === 0 && (settings.zero ?? 0) > 0;
  return passed({
    source: cut.value.source,
    axes,
    notes: [
      ...settings.notes,
      ...notes,
      ...(odd === undefined ? [] : [odd]),
      ...cut.value.notes,
      ...(untrained ? [noStep(settings.zero ?? 0)] : []),
    ],
  });
}

/**
 * Warning about an input whose rows the devices of the batch do not divide, so that no batch is
 * cut.
 */
function oddBatch({ graph }: Document, sharing: number): Diagnostic | undefined {
  const odd = graph.tensors.find((each) => isBatch(each) && (each.shape[0] ?? 0) % sharing !== 0);
  if (odd === undefined) return undefined;
  const rows = odd.shape[0] === 1 ? "1 row" : `${odd.shape[0]} rows`;
  const message = `"${odd.name}" has ${rows}, which the ${sharing} devices that share a batch do not divide: each has all of them; give the program a larger batch`;
  return { code: "settings/no-fit", severity: "warning", message };
}

function withWords(document: Document, words: Parameters<typeof trainWords>[1]): Document {
  const edits = trainWords(document, words);
  return edits.length === 0 ? document : document.reread(applyEdits(document.source, edits));
}

/** The text with the cuts of its layers, in as few lines as possible. */
function withCuts(
  given: Document,
  said: CutBySettings,
): Checked<{ readonly source: string; readonly notes: readonly Diagnostic[] }> {
  const document = withBiasesApart(given, said);
  const { graph } = document;
  const { mesh } = document.mesh;
  const { requests, joined, uneven } = settingsRequests(graph, mesh, said);
  const { plan, diagnostics } = propagate(graph, mesh, requests);
  if (hasErrors(diagnostics)) return failed(...diagnostics);
  const strategies = new Map([...plan.operators].map(([id, { strategy }]) => [id, strategy]));
  const tensors = tensorsById(graph);
  const rest = new Map(
    [...plan.placements].flatMap(([id, { layout }]) =>
      tensors.get(id)?.producer === undefined ? [[id, layout] as const] : [],
    ),
  );
  const notes = [...joinedNote(joined), ...unevenNote(uneven)];
  const text = planIntoText(document, { strategies, rest, ends: new Map() });
  return text.ok ? passed({ source: text.source, notes }) : failed(text.diagnostic);
}

/**
 * Places the weights of layers that are cut by rows and have a bias, so that the bias is added
 * after the sum.
 */
function withBiasesApart(document: Document, said: CutBySettings): Document {
  const { graph, mesh } = document;
  const { rowsWithBias } = settingsRequests(graph, mesh.mesh, said);
  const targets = new Set(rowsWithBias.map(wildcardPath));
  if (said.tensor === undefined || targets.size === 0) return document;
  const layout = `layout("None", ${JSON.stringify(said.tensor)})`;
  const lines = [...targets].map((target) => `place(${JSON.stringify(target)}, ${layout})`);
  const edit = linesEdit(document, planLinesAt(document), lines);
  return document.reread(applyEdits(document.source, [edit]));
}

function unevenNote(weights: readonly string[]): readonly Diagnostic[] {
  const names = [...new Set(weights.map(wildcardPath))];
  if (names.length === 0) return [];
  const message = `${names.join(", ")} ${names.length === 1 ? "stays" : "stay"} whole: the devices do not divide the rows, which the tool fills up`;
  return [{ code: "settings/not-modelled", severity: "warning", message }];
}

function joinedNote(weights: readonly string[]): readonly Diagnostic[] {
  const names = [...new Set(weights.map(wildcardPath))];
  if (names.length === 0) return [];
  const message = `${names.join(", ")} ${names.length === 1 ? "holds" : "hold"} several matrices one behind the other: cut by columns they are sent around where they are split up; the tool keeps the parts of each device together`;
  return [{ code: "settings/not-modelled", severity: "warning", message }];
}

function noStep(zero: number): Diagnostic {
  const message = `the program is no step of training: nothing is split by ZeRO ${zero}`;
  return { code: "settings/not-modelled", severity: "warning", message };
}

function noFit(message: string): Checked<never> {
  return failed({ code: "settings/no-fit", severity: "error", message });
}
