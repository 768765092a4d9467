import {
  bindFirst,
  type CutConfig,
  type Json,
  type Piece,
  type PieceTensor,
  parseSplit,
  partition,
  printSplit,
  type Split,
  type TransformRule,
} from "#core/dimops";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { placedIn, readCall } from "./arguments.ts";

/** `partition`: the effect of a cut on every operand, and the pieces. */
export function partitionAnswer(args: Arguments): Answer {
  const call = readCall(args);
  if (!call.ok) return { ok: false, diagnostics: call.diagnostics };
  const config = readConfig(args.config);
  if (config === undefined) return badRequest('"config" must be [idx, dim, num]; dim may be "v"');
  const rules = readRules(args.rules ?? []);
  if (rules === undefined) {
    return badRequest('"rules" must be a list of {inputs, outputs} with "D0", "D0,1", "R" or "V"');
  }
  const { candidates, inputs, kwargs } = call.value;
  const bound = bindFirst(candidates, inputs, kwargs);
  if (!bound.ok) return { ok: false, diagnostics: placedIn(candidates.length, bound.diagnostics) };
  const parts = partition(bound.value, config, rules);
  const diagnostics = placedIn(candidates.length, parts.diagnostics);
  if (!parts.ok) return { ok: false, ...(parts.refused && { refused: true }), diagnostics };
  return {
    ok: true,
    inputs: parts.rule.inputs.map(printSplit),
    outputs: parts.rule.outputs.map(printSplit),
    pieces: parts.pieces.map(pieceJson),
    diagnostics,
  };
}

function pieceJson({ inputs, outputs, kwargs }: Piece): Json {
  return {
    inputs: inputs.map((each) => (each.kind === "tensor" ? tensorJson(each) : each.value)),
    outputs: outputs.map((tensor) => (tensor === undefined ? null : tensorJson(tensor))),
    kwargs,
  };
}

function tensorJson({ shape, ranges, value }: PieceTensor): Json {
  const pairs = ranges.map(({ start, stop }) => [start, stop]);
  return { shape, ranges: pairs, value: [value.index, value.count] };
}

function readConfig(value: unknown): CutConfig | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [operand, dim, count]: unknown[] = value;
  if (typeof operand !== "number" || typeof count !== "number") return undefined;
  return typeof dim === "number" || dim === "v" ? { operand, dim, count } : undefined;
}

function readRules(value: unknown): readonly TransformRule[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const rules = value.map(readRule).filter((rule) => rule !== undefined);
  return rules.length === value.length ? rules : undefined;
}

function readRule(value: unknown): TransformRule | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const inputs = readSplits("inputs" in value ? value.inputs : undefined);
  const outputs = readSplits("outputs" in value ? value.outputs : undefined);
  return inputs && outputs && { inputs, outputs };
}

function readSplits(value: unknown): readonly Split[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const splits = value
    .map((text: unknown) => (typeof text === "string" ? parseSplit(text) : undefined))
    .filter((split) => split !== undefined);
  return splits.length === value.length ? splits : undefined;
}
