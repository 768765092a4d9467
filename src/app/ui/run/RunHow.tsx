import { type ChangeEvent, useId } from "react";
import { countsSteps, narrowDTypes } from "#app/engine";
import { shown } from "#app/state";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";
import { OwnNumbers } from "./OwnNumbers.tsx";
import { OwnWeights } from "./OwnWeights.tsx";

const engines = [
  ["webgpu", "GPU"],
  ["cpu", "CPU"],
] as const;

const values = [
  ["integers", "Integers"],
  ["floats", "Floats"],
] as const;

const sizes = [
  ["fit", "What fits"],
  ["own", "As written"],
] as const;

/** The settings of the next run. */
export function RunHow() {
  const settings = useApp((state) => state.runSettings);
  const setRun = useApp((state) => state.setRun);
  return (
    <div className="run-how">
      <Row name="Runs on">
        <Segmented
          label="Runs on"
          choices={engines}
          value={settings.engine}
          onChange={(engine) => setRun({ engine })}
        />
      </Row>
      <Row name="Numbers">
        <Segmented
          label="Numbers"
          choices={values}
          value={settings.values}
          onChange={(next) => setRun({ values: next })}
        />
        <Seed />
      </Row>
      <Precision />
      <OwnNumbers />
      <Row name="Weights">
        <OwnWeights />
      </Row>
      <Row name="Sizes">
        <Segmented
          label="Sizes"
          choices={sizes}
          value={settings.sizes}
          onChange={(next) => setRun({ sizes: next })}
        />
      </Row>
      <OptimizerStep />
      <StartButton />
    </div>
  );
}

const precisions = [
  ["own", "Own types"],
  ["full", "Full"],
] as const;

/** Whether floats are rounded to bf16 and f16, where the program has such tensors. */
function Precision() {
  const compiled = useApp(shown);
  const { values, precision = "own" } = useApp((state) => state.runSettings);
  const setRun = useApp((state) => state.setRun);
  const types = compiled === undefined ? [] : narrowDTypes(compiled.program.graph);
  if (values === "integers" || types.length === 0) return null;
  return (
    <Row name="Precision">
      <Segmented
        label="Precision"
        choices={precisions}
        value={precision}
        onChange={(next) => setRun({ precision: next })}
      />
    </Row>
  );
}

const optimizerSteps = [
  ["1", "1st"],
  ["2", "2nd"],
  ["10", "10th"],
] as const;

/** The number of the optimizer step that is run, where it makes a difference. */
function OptimizerStep() {
  const compiled = useApp(shown);
  const step = useApp((state) => state.runSettings.optimizerStep ?? 1);
  const setRun = useApp((state) => state.setRun);
  if (compiled === undefined || !countsSteps(compiled.program)) return null;
  return (
    <Row name="Optimizer's step">
      <Segmented
        label="Optimizer's step"
        choices={optimizerSteps}
        value={optimizerSteps.find(([each]) => Number(each) === step)?.[0] ?? "1"}
        onChange={(next) => setRun({ optimizerStep: Number(next) })}
      />
    </Row>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="run-row">
      <span className="mut">{name}</span>
      {children}
    </div>
  );
}

/** The largest seed that a field takes. */
const mostSeed = 999_999;

/** The seed from which the inputs and parameters are drawn. */
function Seed() {
  const id = useId();
  const seed = useApp((state) => state.runSettings.seed);
  const setRun = useApp((state) => state.setRun);
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const next = currentTarget.valueAsNumber;
    if (Number.isInteger(next) && next >= 0 && next <= mostSeed) setRun({ seed: next });
  };
  return (
    <>
      <label className="mut" htmlFor={id}>
        Seed
      </label>
      <input
        className="field run-seed"
        id={id}
        type="number"
        min={0}
        max={mostSeed}
        step={1}
        value={seed}
        onChange={onChange}
      />
    </>
  );
}

function StartButton() {
  const isRunning = useApp((state) => state.run.kind === "running");
  const startRun = useApp((state) => state.startRun);
  const cancelRun = useApp((state) => state.cancelRun);
  return (
    <button
      type="button"
      className="btn line run-again"
      data-testid="run-again"
      onClick={isRunning ? cancelRun : () => void startRun()}
    >
      {isRunning ? "Cancel the run" : "Run with these"}
    </button>
  );
}
