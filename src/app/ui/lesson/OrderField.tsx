import { ChevronDown, ChevronUp } from "lucide-react";
import { type Ask, firstInOrder, type World } from "#app/lessons";
import { IconButton } from "../atoms/IconButton.tsx";
import { SentenceView } from "./SentenceView.tsx";

interface Props {
  readonly ask: Extract<Ask, { kind: "order" }>;
  /** The present order; `undefined` if it was not answered. */
  readonly order: readonly number[] | undefined;
  readonly world: World | undefined;
  readonly isGiven: boolean;
  readonly onChange: (order: readonly number[]) => void;
}

/** Things that are put in order by buttons, the largest or slowest first. */
export function OrderField({ ask, order, world, isGiven, onChange }: Props) {
  const now = order ?? startOrder(ask);
  const move = (from: number, by: 1 | -1) => {
    if (now[from + by] === undefined) return;
    const next = [...now];
    const [taken] = next.splice(from, 1);
    if (taken !== undefined) next.splice(from + by, 0, taken);
    onChange(next);
  };
  return (
    <>
      <p className="mut">The {firstInOrder(ask)} first.</p>
      <ol className="lesson-order">
        {now.map((item, at) => {
          const text = ask.items[item]?.text ?? "";
          const name = text.replaceAll("`", "");
          return (
            <li key={text}>
              <span>
                <SentenceView sentence={text} world={world} />
              </span>
              <IconButton
                icon={ChevronUp}
                size={16}
                name={`Move up: ${name}`}
                disabled={isGiven}
                // At an end of the list the button does nothing, but keeps the focus.
                aria-disabled={at === 0}
                onClick={() => move(at, -1)}
              />
              <IconButton
                icon={ChevronDown}
                size={16}
                name={`Move down: ${name}`}
                disabled={isGiven}
                aria-disabled={at === now.length - 1}
                onClick={() => move(at, 1)}
              />
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** The order of the items before any is moved. */
export function startOrder({ items }: Props["ask"]): readonly number[] {
  return items.map((_, at) => at).reverse();
}
