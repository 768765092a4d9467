import type { CompileOptions } from "#compile";
import { readDocument, readGraph } from "#systems";
import { changeDimOrSayHow, cycleDim } from "./gesture-dim.ts";
import type { Gesture, GestureOutcome } from "./gesture-kinds.ts";
import { applyMeshGesture } from "./gesture-mesh.ts";
import { applyPinGesture } from "./gesture-pin.ts";
import { chooseStepsIn } from "./gesture-steps.ts";
import { targetOf } from "./gesture-target.ts";
import { type Version, versionOf } from "./version.ts";

/**
 * Applies a change by the user to a text, by the rule of architecture.md §2.3.
 *
 * On a dim of a result, the strategy of its producer changes if the dim is one identifier;
 * otherwise the tensor is placed. For a result that is placed already, the gesture tells which of
 * the two changes.
 *
 * On an input or parameter, the gesture says which of its states changes. At rest, the tensor is
 * placed if its layout differs from its readers', or if every consumer then follows without a
 * redistribution; otherwise the strategy of its first consumer changes. As a reader holds it, the
 * strategy of that reader changes.
 *
 * Inside an existing `.shard(…)` the entries of the tuple change. For a graph in JSON its plan text
 * changes: it then names the mesh of its shards and, if the mesh changes, repeats all their cuts.
 */
export function applyGesture(
  source: string,
  gesture: Gesture,
  options: CompileOptions = {},
): GestureOutcome {
  const read = readGraph(source, options);
  if (read === undefined) return gestureIn(versionOf(readDocument(source)), gesture);
  const document = read.written(!("tensor" in gesture) && gesture.kind !== "pin");
  const outcome = gestureIn(versionOf(document), gesture);
  return outcome.ok ? { ...outcome, source, planText: outcome.source } : outcome;
}

/** `applyGesture` on a compiled version of a text. */
export function gestureIn(version: Version, gesture: Gesture): GestureOutcome {
  if (gesture.kind === "pin") return applyPinGesture(version, gesture);
  if (gesture.kind === "choose-steps") return chooseStepsIn(version, gesture);
  if (!("tensor" in gesture)) return applyMeshGesture(version, gesture);
  const target = targetOf(version, gesture);
  if (typeof target === "string") return { ok: false, reason: target };
  return gesture.kind === "cycle" ? cycleDim(target) : changeDimOrSayHow(target);
}
