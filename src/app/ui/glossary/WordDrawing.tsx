import { useEffect, useMemo, useState } from "react";
import { drawnIn, haloSentence, halosOf } from "#app/scene/glyph";
import { framesOf } from "#app/scene/player";
import { tensorView } from "#app/state";
import { type Compiled, shownLayout } from "#compile";
import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { useActions } from "../store-context.tsx";
import { tensorSentence } from "../words.ts";
import { type Drawing, sourceOf, thenOf } from "./glossary.ts";
import { BoundOf, IndexOf, TimeOf } from "./WordPictures.tsx";

interface Props {
  readonly word: string;
  readonly drawing: Drawing;
}

/** The drawing of a word: the effect of a plan, compiled here. */
export function WordDrawing({ word, drawing }: Props) {
  const { lessons } = useActions();
  const [drawn, setDrawn] = useState<Drawn>();
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const [desk, source] = await Promise.all([lessons(), sourceOf(drawing)]);
      const compiled = source === undefined ? undefined : await desk.compiled(source);
      if (source === undefined || compiled === undefined) return;
      const later = thenOf(drawing, source);
      const then = later === undefined ? undefined : await desk.compiled(later);
      if (isCurrent) setDrawn({ compiled, ...(then !== undefined && { then }) });
    };
    // Without the drawing the sentence stands alone.
    load().catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, [lessons, drawing]);
  if (drawn === undefined) return <div className="words-drawing" />;
  return (
    <figure className="words-drawing">
      <Picture drawing={drawing} {...drawn} />
      <figcaption className="vh">{word}</figcaption>
    </figure>
  );
}

/** The text of a drawing and the text that it becomes, both compiled. */
interface Drawn {
  readonly compiled: Compiled;
  readonly then?: Compiled;
}

interface PictureProps extends Drawn {
  readonly drawing: Drawing;
}

function Picture({ drawing, compiled, then }: PictureProps) {
  const { shows, step, tensor = "", lesson = "" } = drawing;
  if (shows === "time") return <TimeOf compiled={compiled} />;
  if (shows === "bound") return <BoundOf compiled={compiled} lesson={lesson} />;
  if (shows === "index") return <IndexOf compiled={compiled} name={tensor} />;
  if (step !== undefined) return <StepOf compiled={compiled} step={step} />;
  if (then !== undefined) return <ThenOf {...{ drawing, compiled, then }} />;
  return <TensorOf compiled={compiled} drawing={drawing} />;
}

/**
 * A plan before and after lines are added to its text; a text that cannot be read keeps the picture
 * before.
 */
function ThenOf({ drawing, compiled, then }: Required<PictureProps>) {
  const fault = then.diagnostics.find(({ severity }) => severity === "error");
  const before = compiled.source.split("\n");
  const written = then.source.split("\n").filter((line) => !before.includes(line));
  const lines = <code className="mono">{written.join("\n")}</code>;
  if (fault !== undefined) {
    return (
      <>
        <div className="words-stale">
          <TensorOf compiled={compiled} drawing={drawing} />
        </div>
        <p>
          Then {lines} is written: {fault.message}. The drawing shows the last valid version.
        </p>
      </>
    );
  }
  return (
    <>
      <TensorOf compiled={compiled} drawing={drawing} />
      <p>The planner writes {lines}:</p>
      <TensorOf compiled={then} drawing={drawing} />
    </>
  );
}

function StepOf({ compiled, step }: { readonly compiled: Compiled; readonly step: number }) {
  const index = compiled.program.redistributions[step - 1]?.index;
  const [frame] = index === undefined ? [] : framesOf(compiled, index);
  if (frame === undefined) return null;
  return (
    <div className="words-frame">
      <FrameDrawing frame={frame} phase="move" share={0.25} />
    </div>
  );
}

const size = { width: 220, height: 120 };

function TensorOf({ compiled, drawing: { tensor: name, device } }: PictureProps) {
  const { tensors, operators } = compiled.program.graph;
  const tensor = tensors.find((each) => each.name === name);
  const view = tensor && tensorView(compiled, tensor.id);
  const drawn = useMemo(() => {
    if (tensor === undefined || view === undefined) return undefined;
    const layout = shownLayout(view);
    const reader = operators.find(({ inputs }) => inputs.some((each) => each.tensor === tensor.id));
    const halos = reader && halosOf(compiled, reader.id, tensor.id, layout);
    return { ...drawnIn(compiled, tensor, layout), ...(halos !== undefined && { halos }) };
  }, [compiled, operators, tensor, view]);
  if (tensor === undefined || view === undefined || drawn === undefined) return null;
  const sentence = tensorSentence(tensor, view);
  const label =
    drawn.halos === undefined
      ? sentence
      : `${sentence} ${haloSentence(drawn.halos, tensor.dimNames)}`;
  return (
    <>
      <Glyph
        tensor={drawn}
        size={size}
        options={{ showIds: true, showNames: true }}
        label={label}
        {...(device !== undefined && { lit: device })}
      />
      <p className="mut">{label}</p>
    </>
  );
}
