import { ChevronRight } from "lucide-react";
import { type MouseEvent, memo } from "react";
import type { BoardCard } from "#app/scene/board";
import { tensorsOf } from "#app/scene/graph";
import { type AppState, drawn, selectedTensor, tensorView } from "#app/state";
import { wrongDevices } from "#app/state/run";
import type { Compiled } from "#compile";
import type { TensorId } from "#core/ir";
import { Icon } from "../atoms/Icon.tsx";
import { Spoken } from "../atoms/Spoken.tsx";
import { FaultMark } from "../index-space/FaultMark.tsx";
import { useApp, useAppStore, useShared } from "../store-context.tsx";
import { tensorSentence, wrongSentence } from "../words.ts";
import { BoardGlyphView } from "./BoardGlyphView.tsx";
import { BoardTexts } from "./BoardTexts.tsx";
import { useBoardStop } from "./board-stops.ts";
import { useBoardLink } from "./use-board-link.ts";

interface Props {
  readonly card: BoardCard;
  readonly toggle: (module: string) => void;
}

/** Whether a card is selected: by its operator, else by its tensor. */
function isCardSelected(state: AppState, { operator, tensor }: BoardCard): boolean {
  const chosen = state.selection.operator;
  if (operator !== undefined && chosen !== undefined) return chosen === operator;
  const inspected = state.selection.tensor;
  return tensor !== undefined && inspected === tensor && selectedTensor(state)?.id === tensor;
}

/**
 * Accessible name of a card: its name and its tensor's layout, which is otherwise only in the
 * picture.
 */
function useSaid({ said, tensor: id }: BoardCard): string {
  const told = useApp((state) => (id === undefined ? "" : tensorWords(drawn(state), id)));
  const allWrong = useShared(wrongDevices);
  const wrong = id === undefined ? undefined : allWrong.get(id);
  const words = told === "" ? `${said}.` : `${said}. ${told}`;
  return told === "" || wrong === undefined ? words : `${words} ${wrongSentence(wrong)}`;
}

const allWords = new WeakMap<Compiled, Map<TensorId, string>>();

/** Layout of a tensor in a sentence; empty if the tensor is not in the program. */
function tensorWords(compiled: Compiled | undefined, id: TensorId): string {
  if (compiled === undefined) return "";
  const known = allWords.get(compiled) ?? new Map<TensorId, string>();
  allWords.set(compiled, known);
  const before = known.get(id);
  if (before !== undefined) return before;
  const tensor = tensorsOf(compiled.program.graph).get(id);
  const words = tensor === undefined ? "" : tensorSentence(tensor, tensorView(compiled, id));
  known.set(id, words);
  return words;
}

/** Card of the board: an operator, a folded module, an input, a weight or a gradient. */
export const BoardCardView = memo(function BoardCardView({ card, toggle }: Props) {
  const { kind, x, y, width, height, texts, glyph, heat, test, opens } = card;
  const said = useSaid(card);
  const isSelected = useApp((state) => isCardSelected(state, card));
  const store = useAppStore();
  const stop = useBoardStop(card.id);
  const { light, pointing } = useBoardLink(card);
  const press = ({ detail }: MouseEvent) => {
    // The second click of a double click would fold the module that the first one opened.
    if (opens !== undefined && detail < 2) return toggle(opens);
    const { select } = store.getState();
    const { operator, tensor } = card;
    if (opens !== undefined) return;
    select({
      ...(operator !== undefined && { operator }),
      ...(tensor !== undefined && { tensor }),
    });
  };
  return (
    <button
      type="button"
      className={`bcard ${kind} ${height <= 20 ? "low" : ""} ${isSelected ? "sel" : ""} ${light}`}
      data-testid={test}
      {...(opens === undefined ? { "aria-pressed": isSelected } : { "aria-expanded": false })}
      style={{ left: x, top: y, width, height }}
      onClick={press}
      {...pointing}
      {...stop}
    >
      <Spoken sentence={said}>
        {(kind === "module" || kind === "group") && (
          <span className="bchevron">
            <Icon icon={ChevronRight} size={12} />
          </span>
        )}
        {glyph !== undefined && <BoardGlyphView glyph={glyph} from={card} />}
        <BoardTexts texts={texts} from={card} />
        {card.operator !== undefined && kind === "operator" && <FaultMark of={card.operator} />}
        {heat > 0 && <i className="bheat" style={{ width: Math.max(1, heat * (width - 2)) }} />}
      </Spoken>
    </button>
  );
});
