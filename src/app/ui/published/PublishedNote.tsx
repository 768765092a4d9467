import { X } from "lucide-react";
import { useId } from "react";
import { drawn } from "#app/state";
import { capitalized } from "#core/diagnostics";
import { parameterNumbers } from "#core/ir";
import { checkWeights } from "#execute/weights";
import type { ImportChoice, PublishedProgram } from "#systems/published";
import { IconButton } from "../atoms/IconButton.tsx";
import { Segmented } from "../atoms/Segmented.tsx";
import { useActions, useApp } from "../store-context.tsx";
import { CompiledTables, MeasuredTables } from "./BesideTables.tsx";
import { countWords } from "./count-words.ts";

/**
 * The contents of a published file, the choices that it leaves open, and the parts that the program
 * lacks.
 */
export function PublishedNote({ made }: { readonly made: PublishedProgram }) {
  const dismiss = useApp((state) => state.notePublished);
  return (
    <div className="text-note published-note" role="status" data-testid="published-note">
      <span>
        {made.sentence} <Parameters made={made} />
        {made.notes.map(({ message }) => ` ${capitalized(message)}.`)} <Held made={made} />
      </span>
      {made.choice !== undefined && <Choice choice={made.choice} />}
      <IconButton icon={X} size={14} name="Dismiss" onClick={() => dismiss({ kind: "none" })} />
      {made.collectives !== undefined && <CompiledTables collectives={made.collectives} />}
      {made.measured !== undefined && <MeasuredTables measured={made.measured} />}
    </div>
  );
}

/** The names and shapes of a file of weights beside those of the program's parameters. */
function Held({ made }: { readonly made: PublishedProgram }) {
  const graph = useApp(drawn)?.graph;
  if (graph === undefined || made.weights === undefined || made.program !== undefined) return null;
  const { fitting, parameters, notes } = checkWeights(made.title, graph, made.weights);
  return (
    <span data-testid="published-weights">
      {fitting} of {parameters} parameters fit.
      {notes.map(({ message }) => ` ${capitalized(message)}.`)}
    </span>
  );
}

/** The number of parameters here, beside the number that the file states. */
function Parameters({ made }: { readonly made: PublishedProgram }) {
  const compiled = useApp(drawn);
  if (compiled === undefined || made.collectives !== undefined || made.measured !== undefined)
    return null;
  if (made.program !== undefined && compiled.source !== made.program) return null;
  const words = countWords(parameterNumbers(compiled.graph), made.parameters);
  return <span data-testid="published-parameters">{words}</span>;
}

const uses = [
  ["forward", "Forward"],
  ["training", "Training step"],
] as const;

/**
 * Sequences, tokens and purpose of a step, where the file leaves them open; each rewrites the
 * program.
 */
function Choice({ choice }: { readonly choice: Partial<ImportChoice> }) {
  const { choosePublished } = useActions();
  const { batch: rows, sequence: length, isTraining } = choice;
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      {rows !== undefined && (
        <Size name="Batch" value={rows} onChange={(batch) => choosePublished({ batch })} />
      )}
      {length !== undefined && (
        <Size
          name="Sequence"
          value={length}
          onChange={(sequence) => choosePublished({ sequence })}
        />
      )}
      {isTraining !== undefined && (
        <Segmented
          label="Use"
          value={isTraining ? "training" : "forward"}
          choices={uses}
          onChange={(use) => void choosePublished({ isTraining: use === "training" })}
        />
      )}
    </form>
  );
}

interface SizeProps {
  readonly name: string;
  readonly value: number;
  readonly onChange: (size: number) => Promise<void>;
}

/** A size that takes effect when the field is left or Enter is pressed. */
function Size({ name, value, onChange }: SizeProps) {
  const id = useId();
  const write = (text: string) => {
    if (/^[1-9]\d{0,8}$/u.test(text) && Number(text) !== value) void onChange(Number(text));
  };
  return (
    <label htmlFor={id}>
      {name}
      <input
        id={id}
        key={value}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={value}
        onBlur={(event) => write(event.currentTarget.value.trim())}
        onKeyDown={(event) => {
          if (event.key === "Enter") write(event.currentTarget.value.trim());
        }}
      />
    </label>
  );
}
