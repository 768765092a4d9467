import { FileCode, type LucideIcon, Terminal, TriangleAlert } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { Compiled } from "#app/state";
import type { Diagnostic } from "#core/diagnostics";
import { type CodeFile, codeTargets, codeWarnings, writeCode } from "#systems/code";
import { CopyButton } from "../atoms/CopyButton.tsx";
import { Segmented } from "../atoms/Segmented.tsx";
import { FixButtons } from "../program/FixButtons.tsx";
import { SaveRow } from "./SaveRow.tsx";
import { saveText } from "./save-picture.ts";

const choices = codeTargets.map(({ target, name }) => [target, name] as const);

/** The plan as a program of an engine: what it reads like, to copy or to save with its launcher. */
export function CodeSection({ compiled }: { readonly compiled: Compiled }) {
  const [target, setTarget] = useState(choices[0]?.[0] ?? "jax");
  const shown = useRef<HTMLTextAreaElement>(null);
  const { program, textModel } = compiled;
  const written = useMemo(
    () => writeCode({ program, ...(textModel && { textModel }) }, target),
    [program, textModel, target],
  );
  const warnings = useMemo(() => codeWarnings(compiled, target), [compiled, target]);
  const chosen = codeTargets.find((each) => each.target === target);
  const [plan, launch] = written.ok ? written.files : [];
  return (
    <section className="export" aria-label="Save the plan as code">
      <h3>Save the plan as code that runs</h3>
      <div className="export-row">
        <Segmented label="Code for" value={target} choices={choices} onChange={setTarget} />
        <span className="mut">{chosen?.what}</span>
        {plan !== undefined && (
          <CopyButton
            className="btn"
            text={plan.text}
            label="the code"
            onRefused={() => shown.current?.select()}
          />
        )}
      </div>
      {warnings.map((warning) => (
        <Warning key={warning.code} warning={warning} />
      ))}
      {written.ok && written.note !== undefined && <p className="mut">{written.note}</p>}
      {!written.ok && <p role="alert">No code: {written.reason}.</p>}
      {plan !== undefined && launch !== undefined && (
        <>
          <textarea
            ref={shown}
            readOnly
            rows={12}
            wrap="off"
            aria-label="The code"
            value={plan.text}
          />
          <div className="save-list">
            <SaveFile
              icon={FileCode}
              name="Save code"
              what={
                chosen?.compares === "numbers"
                  ? "checks itself where it runs"
                  : "checks itself with --verify, on no card"
              }
              file={plan}
            />
            <SaveFile
              icon={Terminal}
              name="Save launcher"
              what="a script for Slurm"
              file={launch}
            />
          </div>
        </>
      )}
    </section>
  );
}

/** What the engine would compute wrongly, and the rewritings that are safe. */
function Warning({ warning: { message, fixes = [] } }: { readonly warning: Diagnostic }) {
  return (
    <div className="prob" role="note">
      <TriangleAlert className="ico w" size={15} strokeWidth={1.75} aria-hidden />
      <p>{message}.</p>
      <FixButtons fixes={fixes} />
    </div>
  );
}

interface SaveFileProps {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly what: string;
  readonly file: CodeFile;
}

function SaveFile({ icon, name, what, file }: SaveFileProps) {
  const save = () => saveText(file.text, file.name);
  return <SaveRow icon={icon} name={name} what={`${file.name}, ${what}`} onSave={save} />;
}
