import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { type CanvasLayout, nodeOf, trainingCounterparts } from "#app/scene/graph";
import { drawn } from "#app/state";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly layout: CanvasLayout;
}

/**
 * Parts of the canvas that only a training step has: column heads with the lines between them, and
 * frames around the boxes that belong to the hovered or selected one.
 */
export function TrainingParts({ layout }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const pointed = usePointed(place, layout);
  const program = useApp((state) => drawn(state)?.program);
  const selection = useApp((state) => state.selection);
  const mates = useMemo(() => {
    if (program === undefined) return [];
    const { tensor, operator } = selection;
    const chosen = [
      ...(tensor === undefined ? [] : [nodeOf(layout, { tensor })]),
      ...(operator === undefined ? [] : [nodeOf(layout, { operator })]),
    ];
    const found = (pointed === undefined ? chosen : [pointed]).flatMap((node) =>
      trainingCounterparts(program, layout, node),
    );
    return [...new Set(found)];
  }, [program, layout, selection, pointed]);
  return (
    <div className="lane-heads" ref={place}>
      {layout.heads.map(({ text, isParted, x, y, width, height }) => (
        <h2
          key={text}
          className={isParted ? "parted" : ""}
          style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
        >
          {text}
        </h2>
      ))}
      {mates.map(({ id, x, y, width, height }) => (
        <i
          key={id}
          className="mate"
          data-mate={id}
          style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
        />
      ))}
    </div>
  );
}

/** Node under the pointer; `undefined` if there is none. */
function usePointed(place: RefObject<HTMLElement | null>, layout: CanvasLayout) {
  const [id, point] = useState<string | undefined>(undefined);
  useEffect(() => {
    const canvas = place.current?.closest<HTMLElement>(".canvas-body");
    const look = ({ target }: Event) => {
      const box = target instanceof Element ? target.closest<HTMLElement>(".box") : null;
      point(box?.dataset["id"]);
    };
    canvas?.addEventListener("pointerover", look);
    return () => canvas?.removeEventListener("pointerover", look);
  }, [place]);
  return useMemo(
    () => (id === undefined ? undefined : layout.nodes.find((node) => node.id === id)),
    [id, layout],
  );
}
