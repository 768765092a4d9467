import { useEffect, useMemo, useState } from "react";
import { lessonOf } from "#app/lessons";
import { drawnIn } from "#app/scene/glyph";
import { framesOf } from "#app/scene/player";
import { tensorView } from "#app/state";
import { type Compiled, shownLayout } from "#compile";
import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { useActions } from "../store-context.tsx";
import { tensorSentence } from "../words.ts";
import type { Explained } from "./glossary.ts";

interface Props {
  readonly word: string;
  readonly drawing: NonNullable<Explained["drawing"]>;
}

/** A word, drawn: what a plan of a lesson does, worked out here. */
export function WordDrawing({ word, drawing }: Props) {
  const { lessons } = useActions();
  const [compiled, setCompiled] = useState<Compiled>();
  const source = lessonOf(drawing.lesson)?.texts[drawing.text];
  useEffect(() => {
    let isCurrent = true;
    // Without the drawing the sentence stands alone.
    if (source !== undefined)
      lessons()
        .then((desk) => desk.compiled(source))
        .then(
          (found) => isCurrent && setCompiled(found),
          () => {},
        );
    return () => {
      isCurrent = false;
    };
  }, [lessons, source]);
  if (compiled === undefined) return <div className="words-drawing" />;
  return (
    <figure className="words-drawing">
      {drawing.step === undefined ? (
        <TensorOf compiled={compiled} name={drawing.tensor ?? ""} />
      ) : (
        <StepOf compiled={compiled} step={drawing.step} />
      )}
      <figcaption className="vh">{word}</figcaption>
    </figure>
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

function TensorOf({ compiled, name }: { readonly compiled: Compiled; readonly name: string }) {
  const tensor = compiled.program.graph.tensors.find((each) => each.name === name);
  const view = tensor && tensorView(compiled, tensor.id);
  const drawn = useMemo(
    () => tensor && view && drawnIn(compiled, tensor, shownLayout(view)),
    [compiled, tensor, view],
  );
  if (tensor === undefined || view === undefined || drawn === undefined) return null;
  const label = tensorSentence(tensor, view);
  return (
    <>
      <Glyph
        tensor={drawn}
        size={size}
        options={{ showIds: true, showNames: true }}
        label={label}
      />
      <p className="mut">{label}</p>
    </>
  );
}
