import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { projectionSpaceOf } from "#app/scene/index-space";
import { projectedOperator, shown } from "#app/state";
import type { Compiled } from "#compile";
import type { Operator } from "#core/ir";
import { IconButton } from "../atoms/IconButton.tsx";
import { Word } from "../glossary/Word.tsx";
import { SheetDialog } from "../palette/SheetDialog.tsx";
import { useApp } from "../store-context.tsx";
import { ProjectionView } from "./ProjectionView.tsx";

/**
 * Index space of an operator with a window, and the cells of each tensor that the window touches.
 */
export function ProjectionSheet() {
  const openSheet = useApp((state) => state.openSheet);
  const compiled = useApp(shown);
  const wanted = useApp(projectedOperator);
  const [chosen, setChosen] = useState(wanted?.id);
  const operator = compiled?.program.graph.operators.find(({ id }) => id === chosen) ?? wanted;
  return (
    <SheetDialog className="projection" label="Index space">
      <div className="sheet-head">
        <h2>
          <Word term="index space">Index space</Word>
        </h2>
        {compiled !== undefined && operator !== undefined && (
          <OperatorChoice compiled={compiled} operator={operator} onChoose={setChosen} />
        )}
        <IconButton icon={X} size={18} name="Close" onClick={() => openSheet(undefined)} />
      </div>
      {compiled === undefined || operator === undefined ? (
        <p className="mut">No operator yet: write one, such as y = matmul(x, w).</p>
      ) : (
        <Space key={operator.id} compiled={compiled} operator={operator} />
      )}
    </SheetDialog>
  );
}

interface SpaceProps {
  readonly compiled: Compiled;
  readonly operator: Operator;
}

function Space({ compiled, operator }: SpaceProps) {
  const space = useMemo(() => projectionSpaceOf(compiled, operator.id), [compiled, operator.id]);
  if (space === undefined) return null;
  return <ProjectionView space={space} />;
}

interface ChoiceProps extends SpaceProps {
  readonly onChoose: (id: Operator["id"]) => void;
}

function OperatorChoice({ compiled, operator, onChoose }: ChoiceProps) {
  const { operators } = compiled.program.graph;
  return (
    <select
      className="space-choice"
      aria-label="Operator"
      value={operator.id}
      onChange={(event) => {
        const found = operators.find(({ id }) => id === event.target.value);
        if (found !== undefined) onChoose(found.id);
      }}
    >
      {operators.map(({ id, name, call }) => (
        <option key={id} value={id}>
          {name} = {call}
        </option>
      ))}
    </select>
  );
}
