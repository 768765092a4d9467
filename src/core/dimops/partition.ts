import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import type { Argument, Kwargs } from "./argument.ts";
import { type Bound, bindFirst } from "./bind.ts";
import { type ChosenRule, chooseRule } from "./choose-rule.ts";
import { checkCut, checkRule } from "./cut-warnings.ts";
import { refuseCut } from "./legality.ts";
import { checkOutputShapes } from "./output-shapes.ts";
import { cutTensor, type Piece, type PieceOperand, type PieceTensor, wholePiece } from "./piece.ts";
import { type CutConfig, divideKeyword, type Split, type TransformRule } from "./split.ts";

/**
 * The pieces of an operator with the rule that made them, or why there are none.
 *
 * `refused` means that upstream declines the cut (frozen, indivisible); otherwise the request is
 * an error there.
 */
export type Partition =
  | {
      readonly ok: true;
      readonly rule: TransformRule;
      readonly pieces: readonly Piece[];
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly ok: false; readonly refused: boolean; readonly diagnostics: readonly Diagnostic[] };

/**
 * Cuts an operator along one dim of one operand (`graph.partition` upstream, dimops.md §3).
 *
 * Each piece is bound anew to its own shapes and keyword arguments. Two cuts that lose values
 * without a word upstream are made with a warning: several dims of one tensor by one identifier,
 * and an identifier without reduction that an output lacks.
 */
export function partition(
  bound: Bound,
  config: CutConfig,
  rules: readonly TransformRule[] = [],
): Partition {
  return partitionPiece(wholePiece(bound), config, rules);
}

/** Cuts a piece again; its pieces keep their place in the whole. */
export function partitionPiece(
  piece: Piece,
  config: CutConfig,
  rules: readonly TransformRule[] = [],
): Partition {
  const { bound } = piece;
  const misfits = rules.flatMap((rule) => checkRule(bound, rule));
  if (misfits.length > 0) return { ok: false, refused: false, diagnostics: misfits };
  const refusal = refuseCut(bound, config, rules);
  if (refusal !== undefined) {
    const diagnostics = [refusal.diagnostic];
    return { ok: false, refused: refusal.kind === "declined", diagnostics };
  }
  const chosen = chooseRule(bound, config, rules);
  if (chosen.kind === "failed") {
    return { ok: false, refused: false, diagnostics: [chosen.diagnostic] };
  }
  return cutIntoPieces(piece, config, chosen);
}

type UsableRule = Exclude<ChosenRule, { readonly kind: "failed" }>;

function cutIntoPieces(parent: Piece, config: CutConfig, chosen: UsableRule): Partition {
  const pieces: Piece[] = [];
  for (let index = 0; index < config.count; index++) {
    const made = makePiece(parent, config, chosen, index);
    if (!made.ok) return { ok: false, refused: false, diagnostics: made.diagnostics };
    pieces.push(made.value);
  }
  const diagnostics = chosen.kind === "default" ? checkCut(parent.bound, config, chosen) : [];
  return { ok: true, rule: chosen.rule, pieces, diagnostics };
}

function makePiece(
  parent: Piece,
  config: CutConfig,
  chosen: UsableRule,
  index: number,
): Checked<Piece> {
  const kwargs = pieceKwargs(parent.kwargs, config, chosen, index);
  if (!kwargs.ok) return kwargs;
  const { inputs, outputs } = cutOperands(parent, config, chosen.rule, index);
  const inputArguments = inputs.map((operand, input) => argumentOf(parent.bound, operand, input));
  const again = bindFirst(parent.bound.candidates, inputArguments, kwargs.value);
  if (!again.ok) return failed(...again.diagnostics);
  const shapes = outputs.map((tensor) => tensor?.shape);
  const mismatches = checkOutputShapes(again.value.outputs, shapes);
  if (mismatches.length > 0) return failed(...mismatches);
  return passed({ bound: again.value, inputs, outputs, kwargs: kwargs.value });
}

function cutOperands(parent: Piece, { count }: CutConfig, rule: TransformRule, index: number) {
  const cut = (tensor: PieceTensor, split: Split | undefined) => {
    return split === undefined ? tensor : cutTensor(tensor, split, index, count);
  };
  return {
    inputs: parent.inputs.map((operand, input) => {
      return operand.kind === "tensor" ? cut(operand, rule.inputs[input]) : operand;
    }),
    outputs: parent.outputs.map((tensor, output) => tensor && cut(tensor, rule.outputs[output])),
  };
}

function argumentOf(bound: Bound, operand: PieceOperand, input: number): Argument {
  const name = bound.inputs[input]?.name;
  return { ...operand, ...(name !== undefined && { name }) };
}

function pieceKwargs(
  kwargs: Kwargs,
  config: CutConfig,
  chosen: UsableRule,
  index: number,
): Checked<Kwargs> {
  if (chosen.kind === "default") return divideKeyword(kwargs, chosen.identifier.name, config.count);
  return passed(chosen.rule.modify?.(kwargs, config, index) ?? kwargs);
}
