import { useState } from "react";
import { type StepFigure, stepFigures } from "#app/scene/figures";
import type { Compiled } from "#compile";
import { FigureButton } from "../formula/FigureButton.tsx";
import { FormulaView } from "../formula/FormulaView.tsx";
import { Word } from "../glossary/Word.tsx";

interface Props {
  readonly compiled: Compiled;
}

/** Figures of a training step: utilisation, tokens, achieved rate, exposed communication. */
export function StepFigures({ compiled }: Props) {
  return (
    <dl className="step-figures" data-testid="step-figures">
      {stepFigures(compiled).map((figure) => (
        <Figure key={figure.name} figure={figure} />
      ))}
    </dl>
  );
}

function Figure({ figure: { name, text, how, formula } }: { readonly figure: StepFigure }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <dt>
        <Word term={name}>{name}</Word>
      </dt>
      <dd>
        {formula === undefined ? (
          <b>{text}</b>
        ) : (
          <FigureButton of={`${name} ${text}`} isOpen={isOpen} onPress={() => setOpen(!isOpen)}>
            <b>{text}</b>
          </FigureButton>
        )}{" "}
        <span className="mut">{how}</span>
        {isOpen && formula !== undefined && <FormulaView formula={formula} />}
      </dd>
    </div>
  );
}
