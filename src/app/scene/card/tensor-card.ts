import { shownLayout, type TensorView } from "#compile";
import type { Tensor } from "#core/ir";
import { labelIn, type Notation } from "../text/notation.ts";
import { heldWords, stateWord, stateWords } from "../text/sentence.ts";
import { shapeWords } from "../text/shape-words.ts";
import { type Card, type CardPiece, row, rowsCard, type ShownStatus, words } from "./card.ts";

/** The facts in the words beside a tensor. */
export interface TensorFacts {
  readonly tensor: Tensor;
  readonly view: TensorView;
  readonly notation: Notation;
}

/** The card of a tensor beside an operator: name and drawn state, layout, bytes. */
export function tensorCard(
  facts: TensorFacts & {
    /** Tensor name without the prefix of the block around it. */
    readonly name: string;
  },
): Card {
  const { name, tensor, view } = facts;
  return rowsCard(
    row(words("tensor", name), ...about(stateWord(view))),
    row(labelPiece(facts)),
    row(words("about", heldWords(tensor, shownLayout(view)))),
  );
}

/** The card of an optimizer's state tensor: its name below a small glyph. */
export function stateCard(name: string): Card {
  return rowsCard(row(words("state", name)));
}

/**
 * The card of the first input: name, role and shape; layout and drawn state; status at the right.
 */
export function inputCard(facts: TensorFacts & { readonly status: ShownStatus }): Card {
  const { tensor, view, status } = facts;
  const { name, role, dtypeText } = tensor;
  const rows = [
    row(words("name", name), words("about", `${role}, ${dtypeText} ${shapeWords(tensor)}`)),
    row(labelPiece(facts), ...about(stateWords(view))),
  ];
  return { rows, beside: [{ kind: "status", status }] };
}

function labelPiece({ tensor, view, notation }: TensorFacts): CardPiece {
  return { kind: "label", segments: labelIn(notation, shownLayout(view), tensor.dimNames) };
}

function about(text: string): readonly CardPiece[] {
  return text === "" ? [] : [words("about", text)];
}
