import { TriangleAlert } from "lucide-react";
import { type MouseEvent, useEffect, useId, useRef } from "react";
import type { Example } from "#app/examples";
import type { GalleryDrawing } from "#app/scene";
import { formatBytes, formatCount } from "#app/scene/text";
import type { DrawingStatus } from "#app/state";
import { fieldOf } from "#core/records";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { CollectiveIcon } from "../atoms/CollectiveIcon.tsx";
import { Icon } from "../atoms/Icon.tsx";
import { keyed } from "../drawing/keyed.ts";
import { useApp } from "../store-context.tsx";
import { CardDrawing } from "./CardDrawing.tsx";
import { ModelPlans } from "./ModelPlans.tsx";
import { type ModelFigures, modelFigures } from "./model-figures.ts";
import { plannedGains } from "./planned-gains.ts";

interface Props {
  readonly example: Example;
  readonly onChoose: (example: Example) => void;
  /** Opens the example and has the planner plan it. */
  readonly onPlan: (example: Example) => void;
}

/** The most kinds of collectives on a card. */
const mostKinds = 3;

/** An example as a card: a drawing of its tensors, its name, and what it sends. */
export function GalleryCard({ example, onChoose, onPlan }: Props) {
  const id = useId();
  const figures = fieldOf(modelFigures, example.name);
  const [place, status] = useDrawing(example.name, figures === undefined);
  const drawing = status?.kind === "drawn" ? status.drawing : undefined;
  const choose = (event: MouseEvent) => {
    // With these keys held, a link opens in another tab or window, and this page stays as it is.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onChoose(example);
  };
  return (
    <li
      ref={place}
      className={`example ${example.fault === undefined ? "" : "has-fault"}`}
      data-testid={`example-${example.name}`}
      aria-busy={status?.kind === "drawing"}
    >
      {figures === undefined ? (
        <span className="example-drawing" aria-hidden="true">
          {drawing !== undefined && <CardDrawing drawing={drawing} />}
        </span>
      ) : (
        <ModelPlans figures={figures} id={`${id}-plans`} onPlan={() => onPlan(example)} />
      )}
      <h4>
        <a
          href={`#example=${example.name}`}
          aria-describedby={`${id}-note ${figures === undefined ? "" : `${id}-plans `}${id}-facts`}
          onClick={choose}
        >
          {example.title}
        </a>
      </h4>
      <p className="mut" id={`${id}-note`}>
        {example.note}
      </p>
      <p className="example-facts" id={`${id}-facts`}>
        {figures !== undefined && <Facts drawing={figures} parameters={example.parameters} />}
        {drawing !== undefined && <Facts drawing={drawing} />}
        <Gain name={example.name} />
        {status?.kind === "failed" && <span>Not drawn: {status.message}. It still opens.</span>}
      </p>
    </li>
  );
}

/** The room of a card's drawing. The drawing is requested when the room scrolls into sight. */
function useDrawing(name: string, isDrawn: boolean) {
  const place = useRef<HTMLLIElement>(null);
  const draw = useApp((state) => state.drawExample);
  const status = useApp((state): DrawingStatus | undefined => state.drawings.get(name));
  useEffect(() => {
    if (place.current === null || !isDrawn) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void draw(name);
      },
      { rootMargin: "100px" },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [draw, name, isDrawn]);
  return [place, status] as const;
}

type Sends = Pick<ModelFigures, "mesh" | "deviceCount" | "bytes" | "contributors">;

interface FactsProps {
  readonly drawing: Sends & Pick<GalleryDrawing, "fault">;
  readonly parameters?: number | undefined;
}

/** Mesh, parameters of a model, collectives with their counts, and bytes. */
function Facts({ drawing, parameters }: FactsProps) {
  const { mesh, deviceCount, fault } = drawing;
  return (
    <>
      <span className="example-mesh mono">
        <span>
          {mesh.map(({ text, hue, size }, at) => (
            <span key={text}>
              {at > 0 && " · "}
              <b className={`tk a${hue}`}>{text}</b> {size}
            </span>
          ))}
        </span>
        <span className="mut">
          {parameters !== undefined && `${countText(parameters)} parameters, `}
          {deviceCount === 1 ? "1 device" : `${deviceCount} devices`}
        </span>
      </span>
      {fault === undefined ? <Sent drawing={drawing} /> : <Fault message={fault} />}
    </>
  );
}

/** `124 million`, `8.03 billion`. */
function countText(count: number): string {
  return formatCount(count).replace(" M", " million").replace(" G", " billion");
}

function Sent({ drawing }: { readonly drawing: Sends }) {
  const { contributors, bytes } = drawing;
  const rest = contributors.length - mostKinds;
  if (contributors.length === 0) return <span className="example-sent">Sends nothing</span>;
  return (
    <span className="example-sent">
      {keyed(contributors.slice(0, mostKinds)).map(({ key, item }) => (
        <span className="example-kind" key={key}>
          <CollectiveIcon collective={item.collective} />
          {item.count > 1 && `${item.count} `}
          {item.collective}
          {item.axes.map((tag) => (
            <AxisChip key={tag.text} tag={tag} />
          ))}
        </span>
      ))}
      {rest > 0 && <span>{rest} more</span>}
      <span className="example-bytes">{formatBytes(bytes)} per device</span>
    </span>
  );
}

/** The gain of the planner's plan over the example's, where the planner prices it. */
function Gain({ name }: { readonly name: string }) {
  const gain = fieldOf(plannedGains, name);
  if (gain === undefined) return null;
  return <span className="example-gain mut">{gainText(gain)}</span>;
}

function gainText(gain: number | string): string {
  if (gain === "hardly") return "The planner finds none that is faster by a thousandth";
  return gain === 0 ? "The planner finds none faster" : `The planner takes ${gain} % less time`;
}

function Fault({ message }: { readonly message: string }) {
  return (
    <span className="example-fault">
      <Icon icon={TriangleAlert} size={14} />
      <span>Error on purpose: {message}.</span>
    </span>
  );
}
