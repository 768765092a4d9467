import { useEffect, useMemo, useState } from "react";
import { drawnIn, haloSentence, halosOf } from "#app/scene/glyph";
import { framesOf } from "#app/scene/player";
import { tensorView } from "#app/state";
import { type Compiled, shownLayout } from "#compile";
import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { useActions } from "../store-context.tsx";
import { tensorSentence } from "../words.ts";
import { type Drawing, sourceOf } from "./glossary.ts";
import { BoundOf, IndexOf, TimeOf } from "./WordPictures.tsx";

interface Props {
  readonly word: string;
  readonly drawing: Drawing;
}

/** A word, drawn: what a plan does, worked out here. */
export function WordDrawing({ word, drawing }: Props) {
  const { lessons } = useActions();
  const [compiled, setCompiled] = useState<Compiled>();
  useEffect(() => {
    let isCurrent = true;
    // Without the drawing the sentence stands alone.
    Promise.all([lessons(), sourceOf(drawing)])
      .then(([desk, source]) => (source === undefined ? undefined : desk.compiled(source)))
      .then(
        (found) => isCurrent && setCompiled(found),
        () => {},
      );
    return () => {
      isCurrent = false;
    };
  }, [lessons, drawing]);
  if (compiled === undefined) return <div className="words-drawing" />;
  return (
    <figure className="words-drawing">
      <Picture drawing={drawing} compiled={compiled} />
      <figcaption className="vh">{word}</figcaption>
    </figure>
  );
}

interface PictureProps {
  readonly drawing: Drawing;
  readonly compiled: Compiled;
}

function Picture({ drawing, compiled }: PictureProps) {
  const { shows, step, tensor = "", lesson = "" } = drawing;
  if (shows === "time") return <TimeOf compiled={compiled} />;
  if (shows === "bound") return <BoundOf compiled={compiled} lesson={lesson} />;
  if (shows === "index") return <IndexOf compiled={compiled} name={tensor} />;
  if (step !== undefined) return <StepOf compiled={compiled} step={step} />;
  return <TensorOf compiled={compiled} drawing={drawing} />;
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
